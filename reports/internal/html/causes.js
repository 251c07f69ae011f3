// The causes: what is found again and again, each with its first result.

// startCauses fills the list of causes; choose shows the results of one.
function startCauses(choose) {
  const root = document.getElementById("causes");
  if (!root) {
    return;
  }
  const drawBody = (one) => {
    const first = results[one.result];
    const body = drawDetail(first, one);
    body.prepend(element("p", {}, "First in ", element("code", {}, first.of.id), " ", button("show " + countOf(one.inputs, "result"), () => choose(one))));
    return body;
  };
  const list = new List(root, "cause", 25, drawCause, drawBody);
  list.show(page.causes);
  document.getElementById("causes-sort").addEventListener("input", (event) => list.show(sorted(page.causes, causeOrders[event.target.value])));
  if (page.more) {
    root.append(element("p", { class: "dim" }, "… and " + countOf(page.more, "difference or fault") + " of other causes; the results have them"));
  }
}

function drawCause(one) {
  const line = (text) => element("span", { class: "line" }, text);
  const names = namesOf(results[one.result]);
  const [first, second] = names.sides;
  const means = [names.classes[one.what], changesVerdict(one) ? names.effects[one.effect] : undefined].filter(Boolean).join("; ");
  return [
    element("span", { class: "times" }, one.found.toLocaleString("en") + " ×"),
    badge(one.what, !one.allowed),
    effectOf(one, !one.allowed),
    one.allowed ? element("span", { class: "dim" }, "allowed") : undefined,
    element("span", { class: "grow" }, [one.kind, one.field].filter(Boolean).join(" ")),
    element("span", { class: "dim" }, "in " + countOf(one.cases, "case")),
    means ? line(means) : undefined,
    one.text ? line(one.text) : undefined,
    one.text ? undefined : line([element("b", {}, first + ": "), one.native ?? "no such error"]),
    one.text ? undefined : line([element("b", {}, second + ": "), one.declarative ?? "no such error"]),
  ];
}
