// Prints what TypeScript's own parser finds in files: a line of JSON each (answer, in
// oracles.go). Names of files come from the input, each ended by a NUL byte. What does not
// parse is left out.
"use strict";
const fs = require("fs");
const ts = require("typescript");
fs.rmSync(__dirname, { recursive: true }); // all of it is loaded

const runs = /^(|module|ts|(text|application)\/javascript|text\/(typescript|babel))$/i;
const parts = /\.(vue|svelte|astro)$/i;
const kinds = { ".tsx": ts.ScriptKind.TSX, ".jsx": ts.ScriptKind.JSX, ".js": ts.ScriptKind.JSX, ".mjs": ts.ScriptKind.JSX, ".cjs": ts.ScriptKind.JSX };

for (const path of fs.readFileSync(0, "utf8").split("\0")) {
  if (path === "") continue;
  const answer = read(path);
  if (answer) fs.writeSync(1, JSON.stringify(answer) + "\n");
}

function read(path) {
  let text = fs.readFileSync(path, "utf8");
  let kind = kinds[path.slice(path.lastIndexOf(".")).toLowerCase()] ?? ts.ScriptKind.TS;
  if (parts.test(path)) [text, kind] = blocks(path, text);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  if (file.parseDiagnostics.length > 0) return undefined;
  const found = { path, symbols: [], imports: new Set(), exports: new Set() };
  if (parts.test(path) && fs.statSync(path).size > 0) found.exports.add("default");
  for (const s of file.statements) statement(file, s, "", found);
  calls(file, found);
  return { path, symbols: found.symbols, imports: [...found.imports], exports: [...found.exports] };
}

// blocks keeps the scripts of a component, each in its lines.
function blocks(path, text) {
  let kept = "", kind = ts.ScriptKind.TS;
  const blank = (t) => t.replace(/[^\n]/g, " ");
  let at = 0;
  const front = /\.astro$/i.test(path) && /^\s*---[^\n]*\n([^]*?)\n---/.exec(text);
  if (front) {
    const from = text.indexOf("\n", text.indexOf("---")) + 1;
    kept = blank(text.slice(0, from)) + text.slice(from, front.index + front[0].length - 3);
    at = kept.length;
  }
  const script = /<!--[^]*?-->|<script((?:\s+(?:"[^"]*"|'[^']*'|[^>"'])*)?)>([^]*?)<\/script\s*>/gi;
  script.lastIndex = at;
  for (let m; (m = script.exec(text)); ) {
    const attributes = m[1] ?? "";
    if (m[0].startsWith("<!--") || !runs.test((/\stype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? ["", ""])[1])) continue;
    if (/lang\s*=\s*["']?[jt]sx/i.test(attributes)) kind = ts.ScriptKind.TSX;
    const from = m.index + m[0].indexOf(">", "<script".length + attributes.length) + 1;
    kept += blank(text.slice(at, from)) + m[2];
    at = from + m[2].length;
  }
  return [kept, kind];
}

function line(file, at) {
  return file.getLineAndCharacterOfPosition(at).line + 1;
}

function add(file, found, owner, name, node) {
  const full = owner === "" ? name : owner + "." + name;
  found.symbols.push({ name: full, from: line(file, node.getStart(file)), to: line(file, Math.max(node.getStart(file), node.end - 1)) });
  return full;
}

function nameOf(name) {
  if (ts.isStringLiteralLike(name)) return name.getText().slice(1, -1);
  if (ts.isComputedPropertyName(name)) {
    const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, name.getText());
    let text = "";
    while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) text += scanner.getTokenText();
    return text;
  }
  return name.getText();
}

function has(node, kind) {
  return node.modifiers?.some((m) => m.kind === kind) ?? false;
}

function statement(file, s, owner, found) {
  const exported = has(s, ts.SyntaxKind.ExportKeyword), isDefault = has(s, ts.SyntaxKind.DefaultKeyword);
  const give = (name) => owner === "" && found.exports.add(name);
  const named = (node) => {
    const full = add(file, found, owner, node.name ? nameOf(node.name) : "default", node);
    if (exported) give(isDefault ? "default" : node.name.getText());
    return full;
  };
  if (ts.isFunctionDeclaration(s) || ts.isTypeAliasDeclaration(s)) named(s);
  else if (ts.isClassDeclaration(s) || ts.isInterfaceDeclaration(s)) members(file, s, named(s), found);
  else if (ts.isEnumDeclaration(s)) {
    const full = named(s);
    for (const m of s.members) add(file, found, full, nameOf(m.name), m);
  } else if (ts.isModuleDeclaration(s)) namespace(file, s, owner, found, exported);
  else if (ts.isVariableStatement(s)) variables(file, s, owner, found, exported, give);
  else if (ts.isExportAssignment(s)) give("default");
  else if (ts.isExportDeclaration(s)) {
    if (!s.exportClause) give("*");
    else if (ts.isNamespaceExport(s.exportClause)) give(nameOf(s.exportClause.name));
    else for (const e of s.exportClause.elements) give(nameOf(e.name));
  } else if (ts.isImportEqualsDeclaration(s)) exported && give(s.name.text);
  else if (ts.isExpressionStatement(s)) assigned(file, s, owner, found, give);
}

function namespace(file, s, owner, found, exported) {
  if (exported && owner === "") found.exports.add(nameOf(s.name));
  let last = s;
  for (; last.body && ts.isModuleDeclaration(last.body); last = last.body) owner = owner === "" ? last.name.text : owner + "." + last.name.text;
  const full = add(file, found, owner, nameOf(last.name), s);
  for (const inner of last.body?.statements ?? []) statement(file, inner, full, found);
}

function variables(file, s, owner, found, exported, give) {
  const all = s.declarationList.declarations;
  for (const d of all)
    each(d.name, (id) => {
      add(file, found, owner, id.text, all.length === 1 ? s : d);
      if (exported) give(id.text);
    });
}

function each(name, visit) {
  if (ts.isIdentifier(name)) return visit(name);
  for (const e of name.elements) if (ts.isBindingElement(e)) each(e.name, visit);
}

function members(file, s, owner, found) {
  for (const m of s.members) {
    if (ts.isConstructorDeclaration(m)) {
      add(file, found, owner, "constructor", m);
      for (const p of m.parameters) if (p.modifiers?.some((x) => !ts.isDecorator(x))) add(file, found, owner, p.name.getText(), p);
    } else if (m.name && !ts.isSemicolonClassElement(m)) add(file, found, owner, nameOf(m.name), m);
  }
}

// path are the names of a.b["c"], module.exports as one.
function path(e) {
  if (ts.isIdentifier(e)) return [e.text];
  if (e.kind === ts.SyntaxKind.ThisKeyword) return ["this"];
  let name;
  if (ts.isPropertyAccessExpression(e) && !e.questionDotToken) name = e.name.text;
  else if (ts.isElementAccessExpression(e) && ts.isStringLiteralLike(e.argumentExpression)) name = nameOf(e.argumentExpression);
  else return undefined;
  const before = path(e.expression);
  if (!before) return undefined;
  return before.length === 1 && before[0] === "module" && name === "exports" ? ["exports"] : [...before, name];
}

// assigned reads exports.a = b, module.exports = b and A.b = function.
function assigned(file, s, owner, found, give) {
  let value = s.expression;
  const targets = [];
  while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const p = path(value.left);
    if (!p || (targets.length === 0 && p.length === 1 && p[0] !== "exports")) return;
    targets.push(p);
    value = value.right;
  }
  const isFunction = ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isClassExpression(value);
  for (const p of targets) {
    const name = p[p.length - 1];
    if (p[0] === "exports" && p.length === 1) {
      give("default");
      whole(value, give);
    } else if (p[0] === "exports" && p.length === 2) {
      give(name);
      if (!ts.isIdentifier(value) && !simple(value)) add(file, found, "", name, s);
    } else if (p[0] !== "exports" && p.length > 1 && isFunction && p[0] !== "this" && p[0] !== "window") {
      const of = p.slice(0, -1);
      if (of.length > 1 && of[of.length - 1] === "prototype") of.pop();
      add(file, found, of.join("."), name, s);
    }
  }
}

function simple(v) {
  return [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.ThisKeyword].includes(v.kind);
}

function required(v) {
  return ts.isCallExpression(v) && v.expression.getText() === "require" && v.arguments.length === 1 && ts.isStringLiteralLike(v.arguments[0]);
}

function whole(value, give) {
  if (required(value)) give("*");
  if (!ts.isObjectLiteralExpression(value)) return;
  for (const p of value.properties) {
    if (ts.isSpreadAssignment(p)) required(p.expression) && give("*");
    else if (!ts.isComputedPropertyName(p.name)) give(nameOf(p.name));
  }
}

// calls finds all that is imported, wherever it stands.
function calls(file, found) {
  const visit = (n) => {
    let from;
    if (ts.isImportDeclaration(n) || ts.isExportDeclaration(n)) from = n.moduleSpecifier;
    else if (ts.isExternalModuleReference(n)) from = n.expression;
    else if (ts.isImportTypeNode(n)) from = n.argument.literal;
    else if (ts.isCallExpression(n) && (n.expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(n.expression) && n.expression.text === "require")))
      from = n.arguments[0];
    if (from && ts.isStringLiteralLike(from) && from.text !== "") found.imports.add(from.getText().slice(1, -1));
    ts.forEachChild(n, visit);
  };
  visit(file);
}
