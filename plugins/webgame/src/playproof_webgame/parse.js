// Parses scripts, and runs none. Reads [{name, kind, source}] from standard input, writes the list of what is wrong.
const vm = require("node:vm");
const faults = [];
for (const { name, kind, source } of JSON.parse(require("node:fs").readFileSync(0, "utf8"))) {
  try {
    if (kind === "importmap") JSON.parse(source);
    else if (kind === "module") new vm.SourceTextModule(source, { identifier: name });
    else new vm.Script(source, { filename: name });
  } catch (error) {
    const line = kind === "importmap" ? null : /:(\d+)\n/.exec(error.stack ?? "");
    faults.push(`${name}${line ? ` line ${line[1]}` : ""}: ${error.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify(faults));
