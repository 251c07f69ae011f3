// What the report holds. Go wrote it; nothing here is counted or compared anew.

const page = readJSON("page");
const cases = readJSON("cases");

// results are those of all cases, in their order.
const results = cases.flatMap((of) => of.results.map((result) => Object.assign(result, { of })));

function readJSON(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// targetOf names what a result is about.
function targetOf(result) {
  return page.rows[result.row].target;
}

// causesOf gives the numbers of the causes of a result, counted from one.
function causesOf(result) {
  const all = [...(result.notes ?? []), ...(result.pairs ?? [])];
  return new Set(all.map((one) => one.cause).filter(Boolean));
}

// textOf is what the search looks at. Most results are never searched.
function textOf(result) {
  if (result.text === undefined) {
    const said = (result.notes ?? []).flatMap((note) => [note.what, ...note.lines]);
    for (const pair of result.pairs ?? []) {
      said.push(pair.is, pair.by ?? "");
      for (const error of [pair.native, pair.declarative]) {
        if (error) {
          said.push(error.field, error.type.join(""), (error.value ?? []).join(""), (error.detail ?? []).join(""));
        }
      }
    }
    const of = result.of;
    result.text = [of.id, of.source, of.why, of.operation, of.subresource, targetOf(result), page.rows[result.row].suite, result.verdict, ...said].join("\n").toLowerCase();
  }
  return result.text;
}

function needsAttention(result) {
  return page.needing.includes(result.verdict) || isUnmet(result);
}

function isUnmet(result) {
  return (result.notes ?? []).some((note) => note.what === "unmet");
}

function countOf(number, noun) {
  return number.toLocaleString("en") + " " + noun + (number === 1 ? "" : "s");
}
