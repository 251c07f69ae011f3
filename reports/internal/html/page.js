// The page comes to life: lists, filters, keys.

const inputs = ["search", "verdict", "effect", "class", "row"];

// initial is the filter of a page that was just opened.
const initial = { ...filter };

function start() {
  if (!document.getElementById("results")) {
    return; // the run has no result
  }
  const list = new List(document.getElementById("results"), "result", 100, drawResult, drawDetail, writeAddress);
  initial.verdict = fillFilters() ? "attention" : "";
  const apply = (changes) => {
    Object.assign(filter, { search: "", verdict: "", effect: "", class: "", row: "", kind: "", sort: filter.sort, cause: undefined }, changes);
    showFilter();
    list.show(shownResults());
  };
  const choose = (changes) => {
    history.pushState(null, "", location.href); // so that "back" leads to where the reader was
    apply(changes);
    writeAddress();
    document.getElementById("results-title").scrollIntoView();
    list.rows.querySelector(".open")?.focus({ preventScroll: true });
  };
  for (const id of [...inputs, "sort"]) {
    document.getElementById(id).addEventListener("input", (event) => {
      filter[id] = event.target.value;
      list.show(shownResults());
      writeAddress();
    });
  }
  for (const form of document.querySelectorAll("form")) {
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  document.getElementById("reset").addEventListener("click", () => choose({}));
  document.querySelector("#chosen button").addEventListener("click", () => choose({}));
  for (const chooser of document.querySelectorAll("[data-filter]")) {
    const { filter: name, value, row, kind } = chooser.dataset;
    chooser.addEventListener("click", () => choose({ [name]: value, row: row ?? "", kind: kind ?? "" }));
  }
  startCauses((one) => choose({ cause: one }));
  document.addEventListener("keydown", onKey);
  window.addEventListener("popstate", () => {
    if (readAddress() || !location.hash) { // not a section of the page
      followAddress(list, apply);
    }
  });
  followAddress(list, apply);
}

// followAddress shows what the address says: a result, a cause, a filter, or what needs attention.
function followAddress(list, apply) {
  const words = readAddress();
  if (!words) {
    apply(initial);
    return;
  }
  const wanted = words.get("result") ?? "";
  const result = wanted && results.find((one) => keyOf(one) === wanted);
  const chosen = filterOf(words);
  apply(Object.keys(chosen).length > 0 || result ? chosen : initial);
  if (result && !list.open(result)) {
    apply({});
    list.open(result);
  } else if (wanted && !result) {
    list.status.textContent = "This report does not hold the result " + wanted;
  } else if (!result) {
    document.getElementById("results-title").scrollIntoView();
  }
}

// showFilter sets the inputs to what was chosen.
function showFilter() {
  for (const id of [...inputs, "sort"]) {
    document.getElementById(id).value = filter[id];
  }
  const chosen = document.getElementById("chosen");
  chosen.hidden = !filter.cause && !filter.kind;
  if (filter.cause) {
    const one = filter.cause;
    chosen.firstElementChild.textContent = "Only results with this cause: " + [one.what, one.kind, one.field, one.text].filter(Boolean).join(" ");
  } else if (filter.kind) {
    chosen.firstElementChild.textContent = "Only results of kind " + filter.kind + ".";
  }
}

function drawResult(result) {
  const attention = result.verdict !== "fault" && isUnmet(result) ? badge("unmet", true) : undefined;
  return [
    badge(result.verdict, page.needing.includes(result.verdict)),
    effectOf(result, needsAttention(result)),
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
