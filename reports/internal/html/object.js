// The object of a case, with the lines marked that errors are about.

// drawObject gives an object that stands in chunks of lines.
function drawObject(heading, chunks, lines) {
  const text = element("pre", { class: "object", tabindex: "0", role: "group", "aria-label": heading });
  let next = 1;
  for (const chunk of chunks) {
    if (chunk.at > next) {
      text.append(element("span", { class: "gap" }, "        … " + countOf(chunk.at - next, "line") + " left out\n"));
    }
    chunk.lines.forEach((line, i) => text.append(drawLine(chunk.at + i, line, lines.has(chunk.at + i))));
    next = chunk.at + chunk.lines.length;
  }
  return [element("h3", {}, heading), text];
}

function drawLine(number, line, isMarked) {
  const sign = (isMarked ? "▸ " : "") + number;
  return element("span", { class: isMarked ? "marked" : undefined }, element("span", { class: "number" }, sign), line + "\n");
}

// showMark scrolls the object, not the page, to its first mark.
function showMark(root) {
  for (const text of root.querySelectorAll("pre.object")) {
    const mark = text.querySelector(".marked");
    if (mark) {
      text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 3;
    }
  }
}
