// What a reader takes along: commands, objects, the address of a result.

// copyButton copies a text, and says so for a moment.
function copyButton(name, textOf) {
  const made = button(name, async () => {
    const copied = await copyText(textOf());
    made.textContent = copied ? "copied" : "cannot copy: select the text";
    setTimeout(() => (made.textContent = name), 1500);
  });
  made.className = "copy";
  return made;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { "aria-hidden": "true", class: "offscreen" }, text); // pages of files may have no clipboard
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// quoted quotes a word for a shell, if it needs that.
function quoted(word) {
  return /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

// runCommand compares the case of a result again.
function runCommand(result) {
  const pattern = "^" + result.of.id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
  return ["diffrun", "run", ...page.options, "--run", pattern, page.rows[result.row].source].filter(Boolean).map(quoted).join(" ");
}

// acceptCommand accepts the differences of a case. It refuses texts that nobody replaced.
function acceptCommand(result) {
  return "diffrun accept run.json --why 'WHY' --owner OWNER --issue URL --expires YYYY-MM-DD " + quoted(result.of.id);
}

function drawCopies(result) {
  const isDifferent = (result.pairs ?? []).some((pair) => pair.cause);
  const command = (name, text) => element("div", { class: "command" }, element("code", {}, text), copyButton(name, () => text));
  return element(
    "div",
    { class: "copies" },
    command("copy command", runCommand(result)),
    isDifferent ? command("copy exception", acceptCommand(result)) : undefined,
    copyButton("copy link", () => location.href.split("#")[0] + addressOfResult(result)),
    result.of.object ? copyButton("copy object", () => result.of.object.flatMap((chunk) => chunk.lines).join("\n") + "\n") : undefined,
  );
}
