// All about one result: facts, both lists of errors side by side, the object.

// drawDetail marks the fields of all differences, or those of one cause.
function drawDetail(result, cause) {
  const of = result.of;
  const isMarked = (pair) => (cause ? pair.cause === cause.number : pair.is !== "equal");
  const lines = new Set((result.pairs ?? []).filter(isMarked).flatMap((pair) => pair.lines ?? []));
  return element(
    "div",
    { class: "detail" },
    drawFacts(result),
    drawCopies(result),
    (result.notes ?? []).map(drawNote),
    result.pairs ? drawSides(result, cause) : undefined,
    of.diff ? drawDiff(of.diff) : undefined,
    of.unchanged ? element("p", { class: "dim" }, "The update changes nothing.") : undefined,
    of.object ? drawObject(objectHeading(result), of.object, lines) : undefined,
    of.old ? element("details", {}, element("summary", {}, "Object before the update"), drawObject("Object before the update", of.old, new Set())[1]) : undefined,
    of.noObject ? element("p", { class: "dim" }, "The object is not shown: " + of.noObject + ".") : undefined,
  );
}

function objectHeading(result) {
  const several = result.of.results.length > 1;
  return "Object" + (several ? ", in the version in which the case is written" : "");
}

function drawFacts(result) {
  const of = result.of;
  const facts = [
    ["why", of.why],
    ["where", of.source && sourceLink(of.source)],
    ["target", targetOf(result) + " " + of.operation + (of.subresource ? " /" + of.subresource : "")],
    ["suite", page.rows[result.row].suite],
    ["effect", drawEffect(result)],
    ["stored", result.stored],
    ["time", drawTimes(result)],
  ];
  return element(
    "dl",
    { class: "facts" },
    facts.filter(([, text]) => text).map(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
  );
}

// namesOf returns the names of the two sides of the suite of a result, and what classes and effects mean with them.
function namesOf(result) {
  return page.names[page.rows[result.row].names];
}

// drawEffect shows an effect and what it means.
function drawEffect(result) {
  return result.effect ? [glossaryLink("effect", result.effect), ": " + namesOf(result).effects[result.effect]] : undefined;
}

function drawTimes(result) {
  const [first, second] = namesOf(result).sides;
  const times = [[first, result.native], [second, result.declarative]].filter(([, seconds]) => seconds);
  return times.map(([side, seconds]) => side + " " + drawTime(seconds)).join(", ");
}

function drawTime(seconds) {
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) {
    if (seconds >= size) {
      return Number((seconds / size).toPrecision(3)) + " " + unit;
    }
  }
  return Math.round(seconds * 1e9) + " ns";
}

function drawNote(note) {
  return element("div", { class: "note" }, element("h3", {}, note.what), element("pre", { tabindex: "0", role: "group", "aria-label": note.what }, note.lines.join("\n")));
}

function drawSides(result, cause) {
  const head = ["class", ...namesOf(result).sides].map((name) => element("th", { scope: "col" }, name));
  const more = result.more ? element("p", { class: "dim" }, "… and " + countOf(result.more, "more error") + "; -o json=FILE keeps all") : undefined;
  return [
    element("h3", {}, "Errors"),
    element("table", { class: "sides" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, result.pairs.map((pair) => drawPair(pair, namesOf(result), cause)))),
    more,
  ];
}

function drawPair(pair, names, cause) {
  const isEqual = pair.is === "equal";
  const isExplained = isEqual || pair.is === "equivalent" || (pair.by ?? "").includes("exception ");
  const means = names.classes[pair.is];
  const notes = [means, pair.by ? "by " + pair.by : "", pair.often].filter(Boolean);
  const is = badge(pair.is, !isExplained);
  return element(
    "tr",
    { class: isExplained ? "explained" : cause && pair.cause === cause.number ? "chosen" : undefined },
    element("th", { scope: "row" }, means ? glossaryLink("difference", is) : is, notes.map((note) => element("div", { class: "dim" }, note))),
    drawError(names.sides[0], pair.native),
    drawError(names.sides[1], isEqual ? pair.native : pair.declarative, pair.declared),
  );
}

function drawError(side, error, declared = []) {
  if (!error) {
    return element("td", { "data-side": side }, element("span", { class: "dim" }, "no such error"));
  }
  return element(
    "td",
    { "data-side": side },
    element("code", {}, error.field),
    element("span", {}, marked(error.type)),
    error.value ? [": ", element("span", { class: "value" }, marked(error.value))] : undefined,
    error.detail ? [": ", element("span", {}, marked(error.detail))] : undefined,
    declared.map((place) => element("div", { class: "dim declared" }, "declared by ", declaredAt(place))),
  );
}

// declaredAt shows where a schema declares an error: the file and line, if known, and the place.
function declaredAt(text) {
  const [, source, place] = /^(\S+:\d+) (.*)$/s.exec(text) ?? [];
  return source ? [element("code", {}, sourceLink(source)), " ", element("code", {}, place)] : element("code", {}, text);
}
