// The page comes to life: lists, filters, keys.

const inputs = ["search", "verdict", "effect", "class", "row"];

function start() {
  if (!document.getElementById("results")) {
    return; // the run has no result
  }
  const list = new List(document.getElementById("results"), "result", 100, drawResult, drawDetail);
  const refresh = () => list.show(shownResults());
  filter.verdict = fillFilters() ? "attention" : "";
  const choose = (changes) => {
    Object.assign(filter, { search: "", verdict: "", effect: "", class: "", row: "", cause: undefined }, changes);
    showFilter();
    refresh();
    document.getElementById("results-title").scrollIntoView();
    list.rows.querySelector(".open")?.focus({ preventScroll: true });
  };
  for (const id of inputs) {
    document.getElementById(id).addEventListener("input", (event) => {
      filter[id] = event.target.value;
      refresh();
    });
  }
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => choose({}));
  document.querySelector("#chosen button").addEventListener("click", () => choose({}));
  for (const chooser of document.querySelectorAll("[data-filter]")) {
    const { filter: name, value, row } = chooser.dataset;
    chooser.addEventListener("click", () => choose({ [name]: value, row: row ?? "" }));
  }
  startCauses((one) => choose({ cause: one }));
  document.addEventListener("keydown", onKey);
  showFilter();
  refresh();
}

// showFilter sets the inputs to what was chosen.
function showFilter() {
  for (const id of inputs) {
    document.getElementById(id).value = filter[id];
  }
  const chosen = document.getElementById("chosen");
  chosen.hidden = !filter.cause;
  if (filter.cause) {
    const one = filter.cause;
    chosen.firstElementChild.textContent = "Only results with this cause: " + [one.what, one.kind, one.field, one.text].filter(Boolean).join(" ");
  }
}

function drawResult(result) {
  const attention = result.verdict !== "fault" && isUnmet(result) ? badge("unmet") : undefined;
  return [
    badge(result.verdict),
    effectOf(result),
    attention,
    element("span", { class: "grow" }, result.of.id),
    element("span", { class: "dim" }, targetOf(result)),
  ];
}

function onKey(event) {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (event.key === "Escape" && event.target.id === "search") {
    event.target.value = "";
    event.target.dispatchEvent(new Event("input"));
  } else if (event.key === "Escape") {
    closeRow();
  } else if (isTyping) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "j" || event.key === "k") {
    step(event.key === "j" ? 1 : -1);
  }
}

start();
