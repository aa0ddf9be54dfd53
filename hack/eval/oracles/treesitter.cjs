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

async function main() {
	await Parser.init()
	const parser = new Parser()
	const language = languages[process.argv[2]]
	const folder = require.resolve('tree-sitter-wasms/package.json').replace(/package\.json$/, 'out/')
	parser.setLanguage(await Parser.Language.load(`${folder}tree-sitter-${language.grammar}.wasm`))
	for (const path of fs.readFileSync(0, 'utf8').split('\0').filter(Boolean)) {
		const tree = parser.parse(fs.readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
		if (!tree.rootNode.hasError()) {
			const f = new File()
			const open = [[tree.rootNode, []]]
			while (open.length) {
				const [n, owner] = open.pop()
				for (const child of n.namedChildren) open.push(...language.visit(f, child, owner))
			}
			console.log(JSON.stringify({ path, symbols: f.symbols, imports: [...f.imports].filter(Boolean) }))
		}
		tree.delete()
	}
}

main()
