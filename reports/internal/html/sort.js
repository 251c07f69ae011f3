// The order of the lists. Go wrote causes and results in the order of the run and of their urgency;
// sorting is stable.

function urgencyOf(result) {
  const changes = changesVerdict(result);
  if (result.verdict === "fault") {
    return 0;
  }
  if (needsAttention(result)) {
    return changes ? 1 : 2;
  }
  return changes ? 3 : 4;
}

const byText = (textOf) => (a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0);
const byNumber = (numberOf) => (a, b) => numberOf(a) - numberOf(b);

const resultOrders = {
  "": byNumber(urgencyOf),
  case: byText((result) => result.of.id),
  target: byText((result) => targetOf(result)),
  slow: byNumber((result) => -(result.native ?? 0) - (result.declarative ?? 0)),
};

const causeOrders = {
  found: byNumber((one) => -one.found),
  kind: byText((one) => [one.kind, one.field].join(" ")),
};

function sorted(items, order) {
  return order ? items.toSorted(order) : items;
}
