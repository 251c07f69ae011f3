// Which results are shown.

// filter holds what was chosen. Empty: everything.
const filter = { search: "", verdict: "", effect: "", class: "", row: "", kind: "", sort: "", cause: undefined };

// special are words of the verdict filter that are no verdicts.
const special = {
  attention: needsAttention,
  inputs: (result) => result.verdict !== "inexpressible",
  unmet: isUnmet,
  unguarded: (result) => result.unguarded === true,
};

function isShown(result, words) {
  const { verdict, effect, row, kind, cause } = filter;
  return (
    (!verdict || (special[verdict] ? special[verdict](result) : result.verdict === verdict)) &&
    (!effect || result.effect === effect) &&
    (!row || result.row === Number(row)) &&
    (!kind || page.rows[result.row].kind === kind) &&
    (!filter.class || (result.pairs ?? []).some((pair) => pair.is === filter.class)) &&
    (!cause || causesOf(result).has(cause.number)) &&
    words.every((word) => textOf(result).includes(word))
  );
}

function shownResults() {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return sorted(results.filter((result) => isShown(result, words)), resultOrders[filter.sort]);
}

// fillFilters gives the selects their choices: what occurs, and how often.
function fillFilters() {
  const verdicts = tally((result) => [result.verdict]);
  const unmet = results.filter(isUnmet).length;
  const attention = results.filter(needsAttention).length;
  fill("verdict", [["", "all", results.length], ["attention", "need attention", attention], ["inputs", "all but inexpressible", results.length - (verdicts.get("inexpressible") ?? 0)], ...occurring(page.verdicts, verdicts), ["unmet", "unmet", unmet], ["unguarded", "unguarded", results.filter(special.unguarded).length]]);
  fill("effect", [["", "all", results.length], ...occurring(page.effects, tally((result) => [result.effect]))]);
  fill("class", [["", "all", results.length], ...occurring([...page.classes, "equivalent"], tally((result) => new Set((result.pairs ?? []).map((pair) => pair.is))))]);
  const rows = tally((result) => [String(result.row)]);
  const suites = new Set(page.rows.map((row) => row.suite)).size > 1;
  fill("row", [["", "all", results.length], ...page.rows.map((row, i) => [String(i), row.target + (suites ? " (" + row.suite + ")" : ""), rows.get(String(i))])]);
  return attention > 0;
}

// tally counts the results that have a word.
function tally(words) {
  const counts = new Map();
  for (const result of results) {
    for (const word of words(result)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

function occurring(words, counts) {
  return words.map((word) => [word, word, counts.get(word) ?? 0]);
}

function fill(id, choices) {
  const options = choices.filter(([value, , n]) => n > 0 || value === "").map(([value, text, n]) => element("option", { value }, text + " (" + n.toLocaleString("en") + ")"));
  document.getElementById(id).replaceChildren(...options);
}
