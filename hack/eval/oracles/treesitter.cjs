// Reads names of files from its input, and tells what tree-sitter's grammar finds in each that it
// parses without an error. Needs the npm packages web-tree-sitter 0.20 and tree-sitter-wasms 0.1
// in NODE_PATH.
const fs = require('fs')
const Parser = require('web-tree-sitter')

const field = (n, name) => n.childForFieldName(name)
const named = (n, ...types) => n.namedChildren.filter(c => types.includes(c.type))
const first = (n, ...types) => named(n, ...types)[0]
const text = n => (n ? n.text : '')

class File {
	constructor() {
		this.symbols = []
		this.imports = new Set()
	}

	// add tells a symbol that stands in a node, or from one to another.
	add(owner, name, n, last = n) {
		if (name) this.symbols.push({ name: [...owner, name].join('.'), from: n.startPosition.row + 1, to: last.endPosition.row + 1 })
	}
}

// Each language: its grammar, and what a node declares. visit(file, node, owner) returns nodes
// whose children are looked at, with their owners.
const languages = {
	'C#': { grammar: 'c_sharp', visit: csharp },
	// Its grammar takes the body of a class that delegates for a function that is passed on.
	'Kotlin': { grammar: 'kotlin', visit: kotlin, misread: root => root.descendantsOfType('explicit_delegation').some(d => d.descendantsOfType('lambda_literal').length) },
	'C': { grammar: 'c', visit: c },
	'C++': { grammar: 'cpp', visit: c },
}

function csharp(f, n, owner) {
	const name = text(field(n, 'name')).replace(/^@/, '')
	switch (n.type) {
	case 'using_directive': {
		f.imports.add(text(n.namedChildren.at(-1)))
		return []
	}
	case 'namespace_declaration':
		return [[field(n, 'body'), owner]]
	case 'declaration_list': case 'compilation_unit': case 'enum_member_declaration_list': case 'file_scoped_namespace_declaration':
	case 'preproc_if': case 'preproc_else': case 'preproc_elif': case 'if_directive':
		return [[n, owner]]
	case 'record_declaration': case 'record_struct_declaration':
		for (const p of named(first(n, 'parameter_list') || n, 'parameter')) f.add([...owner, name], text(field(p, 'name')), p)
	case 'class_declaration': case 'struct_declaration': case 'interface_declaration': case 'enum_declaration':
		f.add(owner, name, n)
		return field(n, 'body') ? [[field(n, 'body'), [...owner, name]]] : []
	case 'field_declaration': case 'event_field_declaration': {
		const all = named(first(n, 'variable_declaration'), 'variable_declarator')
		all.forEach((d, i) => f.add(owner, text(d.namedChildren[0]).replace(/^@/, ''), n, i === all.length - 1 ? n : d))
		return []
	}
	case 'method_declaration': case 'constructor_declaration': case 'property_declaration': case 'event_declaration':
	case 'enum_member_declaration': case 'delegate_declaration':
		f.add(owner, name, n)
		return []
	case 'destructor_declaration':
		f.add(owner, '~' + name, n)
		return []
	case 'indexer_declaration':
		f.add(owner, 'this', n)
		return []
	case 'operator_declaration': case 'conversion_operator_declaration':
		f.add(owner, 'operator', n)
	}
	return []
}

function kotlin(f, n, owner) {
	const name = text(first(n, 'simple_identifier', 'type_identifier')).replace(/`/g, '')
	let start = n // the grammar takes an annotation with arguments that nothing stands before for an expression
	while (start.previousNamedSibling?.type === 'prefix_expression') start = start.previousNamedSibling
	switch (n.type) {
	case 'import_header':
		f.imports.add(text(first(n, 'identifier')).replace(/`/g, ''))
		return []
	case 'import_list': case 'class_body': case 'enum_class_body':
		return [[n, owner]]
	case 'class_declaration': case 'object_declaration': case 'companion_object': {
		const inner = [...owner, name || 'Companion']
		f.add(owner, inner.at(-1), start, n)
		for (const p of named(first(n, 'primary_constructor') || n, 'class_parameter')) {
			if (first(p, 'binding_pattern_kind')) f.add(inner, text(first(p, 'simple_identifier')).replace(/`/g, ''), p)
		}
		return named(n, 'class_body', 'enum_class_body').map(b => [b, inner])
	}
	case 'property_declaration': {
		let last = n
		for (let at = n.nextNamedSibling; at && /^(getter|setter|line_comment|multiline_comment)$/.test(at.type); at = at.nextNamedSibling) {
			if (/etter/.test(at.type)) last = at
		}
		f.add(owner, text(first(first(n, 'variable_declaration') || n, 'simple_identifier')).replace(/`/g, ''), start, last)
		return []
	}
	case 'secondary_constructor':
		f.add(owner, 'constructor', n)
		return []
	case 'function_declaration': case 'enum_entry': case 'type_alias':
		f.add(owner, name, start, n)
	}
	return []
}

// declared is the name that a declarator of C declares, with the types that it belongs to, and the
// parameters if it is a function's.
function declared(d) {
	let parameters
	while (d) {
		if (d.type === 'function_declarator') parameters = field(d, 'parameters')
		if (/^(operator_name|operator_cast|conversion_operator)/.test(d.type)) return { path: ['operator'], parameters }
		if (d.type === 'qualified_identifier') {
			const inner = declared(field(d, 'name')) || { path: [] }
			const scope = text(field(d, 'scope')).replace(/<.*/s, '')
			return { path: [...(scope ? [scope] : []), ...inner.path], parameters }
		}
		if (d.type === 'destructor_name') return { path: [text(d).replace(/\s/g, '')], parameters }
		if (['template_function', 'template_type', 'template_method'].includes(d.type)) d = field(d, 'name')
		if (/identifier$/.test(d.type)) return { path: [text(d)], parameters }
		d = field(d, 'declarator') || d.namedChildren.filter(c => /declarator$|identifier$|name$/.test(c.type)).at(-1)
	}
}

// guards reports whether a macro is there only so that its file is read once.
function guards(n) {
	return !field(n, 'value') && n.parent.type === 'preproc_ifdef' && n.parent.child(0).text === '#ifndef' && text(field(n.parent, 'name')) === text(field(n, 'name'))
}

function c(f, n, owner) {
	let start = n
	while (['template_declaration', 'linkage_specification'].includes(start.parent.type)) start = start.parent
	switch (n.type) {
	case 'preproc_include': {
		if (field(n, 'path').type !== 'identifier') f.imports.add(text(field(n, 'path')).replace(/"/g, ''))
		return []
	}
	case 'preproc_if':
		return text(field(n, 'condition')).trim() === '0' ? (field(n, 'alternative') ? [[field(n, 'alternative'), owner]] : []) : [[n, owner]]
	case 'preproc_ifdef': case 'preproc_else': case 'preproc_elif': case 'preproc_elifdef': case 'declaration_list': case 'linkage_specification':
	case 'template_declaration':
		return [[n, owner]]
	case 'namespace_definition': {
		const name = text(field(n, 'name')).replace(/\s/g, '').replace(/::(inline)?/g, '.')
		f.add(owner, name, start, n)
		return [[field(n, 'body'), name ? [...owner, name] : owner]]
	}
	case 'alias_declaration': case 'concept_definition':
		f.add(owner, text(field(n, 'name')), start, n)
		return []
	case 'struct_specifier': case 'class_specifier': case 'union_specifier': case 'enum_specifier':
		return body(f, n, owner, start, [])
	case 'function_definition': {
		const d = declared(field(n, 'declarator'))
		const path = d && !field(n, 'type') && d.path.length === 1 && /^[A-Z][A-Z0-9_]+$/.test(d.path[0]) && d.path[0] !== owner.at(-1) ? text(d.parameters).slice(1, -1).split(/\s*,\s*/) : d?.path
		if (path) f.add([...owner, ...path.slice(0, -1)], path.at(-1), start, n)
		return []
	}
	case 'declaration': case 'field_declaration': case 'type_definition': {
		const declarators = []
		for (let i = 0; i < n.childCount; i++) {
			const at = n.child(i)
			if (at.equals(field(n, 'type') || n) || !/declarator$|identifier$|operator_cast|operator_name|destructor_name/.test(at.type)) continue
			const d = declared(at)
			if (d) declarators.push([d, at])
		}
		const type = field(n, 'type')
		const inside = type && field(type, 'body') ? body(f, type, owner, start, declarators[0] ? declarators[0][0].path : []) : []
		declarators.forEach(([d, at], i) => f.add([...owner, ...d.path.slice(0, -1)], d.path.at(-1), start, i === declarators.length - 1 ? n : at))
		return inside
	}
	}
	return []
}

// body tells a type that has one, and what is declared in it: of one without a name as that of
// what is declared with it.
function body(f, n, owner, start, names) {
	const path = declared(field(n, 'name'))?.path || []
	if (!field(n, 'body')) return []
	const inner = [...owner, ...(path.length ? path : names)]
	if (path.length) f.add([...owner, ...path.slice(0, -1)], path.at(-1), start, field(n, 'body'))
	for (const e of field(n, 'body').descendantsOfType('enumerator')) {
		if (n.type === 'enum_specifier') f.add(inner, text(field(e, 'name')), e)
	}
	return n.type === 'enum_specifier' ? [] : [[field(n, 'body'), inner]]
}

// macros tells those of a file, wherever they stand.
function macros(f, root) {
	for (const n of root.descendantsOfType(['preproc_def', 'preproc_function_def'])) {
		let dead = guards(n)
		for (let at = n; at.parent; at = at.parent) {
			dead ||= at.parent.type === 'preproc_if' && text(field(at.parent, 'condition')).trim() === '0' && !at.equals(field(at.parent, 'alternative') || root)
		}
		const end = n.endPosition
		if (!dead) f.symbols.push({ name: text(field(n, 'name')), from: n.startPosition.row + 1, to: end.column === 0 ? end.row : end.row + 1 })
	}
}

async function main() {
	await Parser.init()
	const parser = new Parser()
	const language = languages[process.argv[2]]
	const folder = require.resolve('tree-sitter-wasms/package.json').replace(/package\.json$/, 'out/')
	parser.setLanguage(await Parser.Language.load(`${folder}tree-sitter-${language.grammar}.wasm`))
	for (const path of fs.readFileSync(0, 'utf8').split('\0').filter(Boolean)) {
		const tree = parser.parse(fs.readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
		if (!tree.rootNode.hasError() && !language.misread?.(tree.rootNode)) {
			const f = new File()
			const open = [[tree.rootNode, []]]
			while (open.length) {
				const [n, owner] = open.pop()
				for (const child of n.namedChildren) open.push(...language.visit(f, child, owner))
			}
			macros(f, tree.rootNode)
			console.log(JSON.stringify({ path, symbols: f.symbols, imports: [...f.imports].filter(Boolean) }))
		}
		tree.delete()
	}
}

main()
