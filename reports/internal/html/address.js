// The address of the page: what is filtered, sorted and open is in the part after #, so that a link
// shows it to somebody else.

// keyOf names a result in any report of the same cases.
function keyOf(result) {
  return [result.of.id, targetOf(result), result.of.operation, result.of.subresource].filter(Boolean).join(" ");
}

function addressOfResult(result) {
  return "#" + new URLSearchParams({ result: keyOf(result) });
}

// readAddress returns what the address says, or undefined if it names a section or nothing.
function readAddress() {
  const text = location.hash.slice(1);
  return text.includes("=") ? new URLSearchParams(text) : undefined;
}

// writeAddress sets the address without a new entry in the history.
function writeAddress(open) {
  const words = new URLSearchParams();
  for (const name of [...inputs, "kind", "sort"]) {
    if (filter[name] !== initial[name]) {
      words.set(name, filter[name]);
    }
  }
  if (filter.cause) {
    words.set("cause", filter.cause.id);
  }
  if (open) {
    words.set("result", keyOf(open));
  }
  const text = String(words);
  history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
}

// filterOf returns the filter that an address describes.
function filterOf(words) {
  const chosen = {};
  for (const name of [...inputs, "kind", "sort"]) {
    if (words.has(name)) {
      chosen[name] = words.get(name);
    }
  }
  if (words.has("cause")) {
    chosen.cause = page.causes.find((one) => one.id === words.get("cause"));
  }
  return chosen;
}
