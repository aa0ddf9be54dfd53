// Prints what TypeScript resolves the imports of files to: a line of JSON each (answer, in
// edges.go). The root is the first argument; names of files come from the input, each ended by
// a NUL byte. Members of workspaces are found as if they were installed, and nothing else is.
"use strict";
const fs = require("fs");
const path = require("path").posix;
const ts = require("typescript");

const root = process.argv[2];
const files = fs.readFileSync(0, "utf8").split("\0").filter((name) => name !== "");
const present = new Set(files.map((name) => path.join(root, name)));
const folders = new Set();
for (const file of present) for (let at = path.dirname(file); !folders.has(at); at = path.dirname(at)) folders.add(at);
const manifests = new Map();
const members = workspaces();

// workspaces are the members of each: paths as if installed, and where they stand.
function workspaces() {
  const found = new Map();
  const packages = [...present].filter((file) => path.basename(file) === "package.json");
  for (const manifest of [...present]) {
    const patterns = patternsOf(manifest);
    const at = path.dirname(manifest);
    for (const file of packages) {
      const dir = path.dirname(file);
      if (patterns.length > 0 && dir.startsWith(at) && matches(patterns, path.relative(at, dir))) {
        const name = read(file).name;
        if (name) found.set(path.join(at, "node_modules", name), dir);
      }
    }
  }
  return found;
}

function patternsOf(file) {
  switch (path.basename(file)) {
    case "package.json": {
      const said = read(file).workspaces;
      return (Array.isArray(said) ? said : said?.packages) ?? [];
    }
    case "pnpm-workspace.yaml": {
      const block = /^packages:\s*\n((?:\s*(?:-.*|#.*)?\n)*)/m.exec(fs.readFileSync(file, "utf8") + "\n");
      return block ? [...block[1].matchAll(/^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].map((m) => m[1]) : [];
    }
  }
  return [];
}

function matches(patterns, dir) {
  let listed = false;
  for (const pattern of patterns) {
    const text = pattern.replace(/^!/, "").replace(/^\.\//, "").replace(/\/$/, "");
    const expression = text.replace(/[.+^$()|[\]]/g, "\\$&").replace(/\*\*\/?|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?")).replace(/\{([^}]*)\}/g, (_, all) => `(?:${all.replace(/,/g, "|")})`);
    if (new RegExp(`^${expression}$`).test(dir) || (text.endsWith("/**") && new RegExp(`^${expression}[^/]*$`).test(dir))) listed = !pattern.startsWith("!");
  }
  return listed;
}

function read(file) {
  if (!manifests.has(file)) {
    try {
      manifests.set(file, JSON.parse(fs.readFileSync(file, "utf8")));
    } catch {
      manifests.set(file, {});
    }
  }
  return manifests.get(file);
}

// real is where a path stands of what is installed.
function real(name) {
  const at = name.lastIndexOf("/node_modules/");
  if (at < 0) return name;
  const parts = name.slice(at + 14).split("/");
  const length = parts[0].startsWith("@") ? 2 : 1;
  const member = parts.slice(0, length).join("/");
  const dir = members.get(name.slice(0, at + 14) + member);
  return dir === undefined || another(wanted[member], read(path.join(dir, "package.json")).version) ? name : path.join(dir, ...parts.slice(length));
}

// wanted are the versions of packages that the file wants whose imports are being resolved.
let wanted = {};

function wantedBy(file) {
  for (let at = path.dirname(file); at.length >= root.length; at = path.dirname(at)) {
    const manifest = path.join(at, "package.json");
    if (present.has(manifest)) return { ...read(manifest).devDependencies, ...read(manifest).dependencies };
  }
  return {};
}

// another says that a member has another major version than is wanted: that one is installed.
function another(version, own) {
  const [a, b] = [/^[\^~>=v ]*(\d+)(\.|$)/.exec(version ?? ""), /^(\d+)\./.exec(own ?? "")];
  return a !== null && b !== null && a[1] !== b[1] && a[1] !== "0" && b[1] !== "0";
}

function directoryExists(name) {
  const at = real(name.replace(/\/$/, ""));
  return folders.has(at) || [...members.keys()].some((m) => m.startsWith(at + "/"));
}

const host = {
  fileExists: (name) => present.has(real(name)),
  readFile: (name) => (present.has(real(name)) ? fs.readFileSync(real(name), "utf8") : undefined),
  directoryExists,
  realpath: real,
  getCurrentDirectory: () => root,
  useCaseSensitiveFileNames: () => true,
  getDirectories: () => [],
  readDirectory: (...args) => ts.sys.readDirectory(...args).filter((name) => present.has(name)),
  onUnRecoverableConfigFileDiagnostic: () => {},
};

const parsed = new Map();
function parse(config) {
  if (!parsed.has(config)) parsed.set(config, ts.getParsedCommandLineOfConfigFile(config, {}, { ...ts.sys, ...host }));
  return parsed.get(config);
}

// optionsOf are those of the nearest config, or of the one that it refers to which has the file.
function optionsOf(file) {
  let options = {};
  for (let at = path.dirname(file); at.length >= root.length; at = path.dirname(at)) {
    const config = [path.join(at, "tsconfig.json"), path.join(at, "jsconfig.json")].find((name) => present.has(name));
    if (config === undefined) continue;
    let found = parse(config);
    if (found && !found.options.paths && !found.options.baseUrl) {
      for (const r of found.projectReferences ?? []) {
        const name = r.path.endsWith(".json") ? r.path : path.join(r.path, "tsconfig.json");
        const other = present.has(name) ? parse(name) : undefined;
        if (other?.fileNames.includes(file)) found = other;
      }
    }
    options = found?.options ?? {};
    break;
  }
  const resolution = options.moduleResolution;
  const old = resolution === undefined || resolution === ts.ModuleResolutionKind.Classic;
  return { ...options, allowJs: true, resolveJsonModule: true, moduleResolution: old ? ts.ModuleResolutionKind.Bundler : resolution };
}

for (const name of files) {
  if (!/\.[cm]?[jt]sx?$/.test(name)) continue;
  const file = path.join(root, name);
  const options = optionsOf(file);
  const imports = {};
  wanted = wantedBy(file);
  const text = fs.readFileSync(file, "utf8");
  for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles) {
    if (/declare\s+module\s*$/.test(text.slice(0, pos))) continue; // adds to a module, imports nothing
    const found = ts.resolveModuleName(fileName, file, options, host).resolvedModule;
    imports[fileName] = found && present.has(found.resolvedFileName) ? [path.relative(root, found.resolvedFileName)] : [];
  }
  fs.writeSync(1, JSON.stringify({ path: name, imports }) + "\n");
}
