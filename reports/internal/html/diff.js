// What an update changes: the old and the new object, line by line.

function drawDiff(hunks) {
  const text = element("pre", { class: "object diff", tabindex: "0", role: "group", "aria-label": "Changes of the update" });
  hunks.forEach((hunk, i) => {
    let [old, now] = [hunk.old, hunk.new];
    if (i > 0 || old > 1) {
      text.append(element("span", { class: "gap" }, "             …\n"));
    }
    for (const line of hunk.lines) {
      const sign = line[0];
      const numbers = (sign === "+" ? "" : String(old)).padStart(5) + (sign === "-" ? "" : String(now)).padStart(5) + " ";
      text.append(element("span", { class: { "-": "removed", "+": "added" }[sign] }, element("span", { class: "numbers" }, numbers), sign + " " + line.slice(1) + "\n"));
      old += sign === "+" ? 0 : 1;
      now += sign === "-" ? 0 : 1;
    }
  });
  return [element("h3", {}, "Changes of the update"), text];
}
