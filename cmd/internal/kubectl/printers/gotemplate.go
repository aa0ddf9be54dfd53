package printers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// goTemplate is a template of -o go-template: the syntax of text/template, for JSON values. It is
// not executed by package text/template, which calls methods by name: the linker would keep every
// exported method of the program, a tenth of its size.
type goTemplate map[string]*parse.Tree

// templateFunctions are the functions of text/template, except call: JSON values are no functions.
var templateFunctions = map[string]any{
	"and": true, "or": true, // see execution.call
	"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
	"print": fmt.Sprint, "println": fmt.Sprintln, "printf": func(a ...any) string { return fmt.Sprintf(a[0].(string), a[1:]...) },
	"not":   func(a []any) any { return !isTrue(a[0]) },
	"len":   func(a []any) any { return reflect.ValueOf(a[0]).Len() },
	"index": index,
	"slice": slice,
	"eq": func(a []any) any {
		return slices.ContainsFunc(a[1:], func(b any) bool { return compare(a[0], b) == 0 })
	},
	"ne": func(a []any) any { return compare(a[0], a[1]) != 0 },
	"lt": func(a []any) any { return compare(a[0], a[1]) < 0 },
	"le": func(a []any) any { return compare(a[0], a[1]) <= 0 },
	"gt": func(a []any) any { return compare(a[0], a[1]) > 0 },
	"ge": func(a []any) any { return compare(a[0], a[1]) >= 0 },
}

// parseGoTemplate parses a template and the templates that it defines. It returns the syntax error of
// the text, or an unknown function, as an error.
func parseGoTemplate(text string) (goTemplate, error) {
	return parse.Parse("output", text, "", "", templateFunctions)
}

func (t goTemplate) execute(value any) (output string, err error) {
	e := &execution{trees: t}
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case runtime.Error, *reflect.ValueError:
			err = fmt.Errorf("template: at <%v>: wrong number or type of arguments", e.node)
		default:
			err = fmt.Errorf("template: at <%v>: %v", e.node, failed)
		}
	}()
	e.template("output", value)
	return e.output.String(), nil
}

// execution is one execution of a template. Its methods panic with the message of an error.
type execution struct {
	trees     goTemplate
	output    strings.Builder
	node      parse.Node // the current one, for errors
	variables []variable // in scope, innermost last
	depth     int        // of templates
}

// variable is a variable of a template. Its name begins with "$".
type variable struct {
	name  string
	value any
}

var errBreak, errContinue = errors.New("break"), errors.New("continue")

// template executes a named template.
func (e *execution) template(name string, dot any) {
	tree := e.trees[name]
	if e.depth++; tree == nil || e.depth > 1000 {
		panic(fmt.Sprintf("template %q is not defined or calls itself without end", name))
	}
	outer := e.variables
	e.variables = []variable{{"$", dot}}
	_ = e.walk(dot, tree.Root)
	e.variables = outer
	e.depth--
}

// walk executes a node. It returns errBreak or errContinue if the node ends a pass of a range.
func (e *execution) walk(dot any, node parse.Node) error {
	e.node = node
	if _, action := node.(*parse.ActionNode); !action { // the variables of an action are those of its list
		defer func(outer int) { e.variables = e.variables[:outer] }(len(e.variables))
	}
	switch n := node.(type) {
	case *parse.TextNode:
		e.output.Write(n.Text)
	case *parse.ActionNode:
		if v := e.pipe(dot, n.Pipe); len(n.Pipe.Decl) == 0 {
			if v == nil {
				v = "<no value>"
			}
			fmt.Fprint(&e.output, v)
		}
	case *parse.ListNode:
		for _, child := range n.Nodes {
			if err := e.walk(dot, child); err != nil {
				return err
			}
		}
	case *parse.IfNode:
		return e.branch(dot, dot, isTrue(e.pipe(dot, n.Pipe)), &n.BranchNode)
	case *parse.WithNode:
		v := e.pipe(dot, n.Pipe)
		return e.branch(dot, v, isTrue(v), &n.BranchNode)
	case *parse.RangeNode:
		return e.loop(dot, n)
	case *parse.TemplateNode:
		e.template(n.Name, e.pipe(dot, n.Pipe))
	case *parse.BreakNode:
		return errBreak
	case *parse.ContinueNode:
		return errContinue
	}
	return nil
}

// branch executes the list of an if, with or range for a value, or its else list for dot.
func (e *execution) branch(dot, value any, condition bool, n *parse.BranchNode) error {
	if condition {
		return e.walk(value, n.List)
	}
	if n.ElseList != nil {
		return e.walk(dot, n.ElseList)
	}
	return nil
}

// loop executes a range: its list once for each item, with the values of a map in the order of their
// keys, or its else list if there are no items. It panics for a value that is not a list, map, int or
// nil.
func (e *execution) loop(dot any, n *parse.RangeNode) error {
	outer := len(e.variables)
	var keys, items []any
	switch over := e.pipe(dot, n.Pipe).(type) {
	case nil:
	case int:
		for i := range over {
			keys, items = append(keys, i), append(items, i)
		}
	case []any:
		for i, item := range over {
			keys, items = append(keys, i), append(items, item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(over)) {
			keys, items = append(keys, key), append(items, over[key])
		}
	default:
		panic(fmt.Sprintf("range can't iterate over %v", over))
	}
	if len(items) == 0 {
		return e.branch(dot, dot, false, &n.BranchNode)
	}
	for i, item := range items {
		e.variables = e.variables[:outer]
		e.declare(n.Pipe, keys[i], item)
		if e.walk(item, n.List) == errBreak {
			break
		}
	}
	return nil
}

// declare sets the variables that a pipeline declares or assigns to the last ones of values.
func (e *execution) declare(pipe *parse.PipeNode, values ...any) {
	for i, n := range pipe.Decl {
		value := values[max(0, len(values)-len(pipe.Decl)+i)]
		if pipe.IsAssign {
			e.variable(n.Ident[0]).value = value
		} else {
			e.variables = append(e.variables, variable{n.Ident[0], value})
		}
	}
}

// variable returns the innermost variable of a name. The parser ensures that it exists.
func (e *execution) variable(name string) *variable {
	i := len(e.variables) - 1
	for e.variables[i].name != name {
		i--
	}
	return &e.variables[i]
}

// pipe returns the value of a pipeline, nil for none.
func (e *execution) pipe(dot any, pipe *parse.PipeNode) any {
	if pipe == nil {
		return nil
	}
	var piped []any
	for _, c := range pipe.Cmds {
		e.node = c
		if n, ok := c.Args[0].(*parse.IdentifierNode); ok {
			piped = []any{e.call(dot, n.Ident, c.Args[1:], piped)}
			continue
		}
		if len(c.Args) > 1 || piped != nil {
			panic(fmt.Sprintf("can't give arguments to %s", c.Args[0]))
		}
		piped = []any{e.operand(dot, c.Args[0])}
	}
	e.declare(pipe, piped[0])
	return piped[0]
}

// operand returns the value of an operand.
func (e *execution) operand(dot any, node parse.Node) any {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return field(dot, n.Ident)
	case *parse.VariableNode:
		return field(e.variable(n.Ident[0]).value, n.Ident[1:])
	case *parse.ChainNode:
		return field(e.operand(dot, n.Node), n.Field)
	case *parse.PipeNode:
		return e.pipe(dot, n)
	case *parse.IdentifierNode:
		return e.call(dot, n.Ident, nil, nil)
	case *parse.BoolNode:
		return n.True
	case *parse.StringNode:
		return n.Text
	case *parse.NumberNode:
		if n.IsInt {
			return int(n.Int64)
		}
		return n.Float64
	}
	return nil // of NilNode
}

// field returns a field of a value; nil if there is none.
func field(value any, names []string) any {
	for _, name := range names {
		object, ok := value.(map[string]any)
		if !ok && value != nil {
			panic(fmt.Sprintf("can't evaluate field %s in %v", name, value))
		}
		value = object[name]
	}
	return value
}

// call calls a function with the values of operands and then the piped one. and and or do not
// evaluate operands after the one that decides.
func (e *execution) call(dot any, name string, operands []parse.Node, piped []any) any {
	var args []any
	for _, n := range operands {
		v := e.operand(dot, n)
		if (name == "and" || name == "or") && isTrue(v) == (name == "or") {
			return v
		}
		args = append(args, v)
	}
	args = append(args, piped...)
	switch f := templateFunctions[name].(type) {
	case func(...any) string:
		return f(args...)
	case func([]any) any:
		return f(args)
	}
	return args[len(args)-1]
}

// isTrue reports whether a condition with this value is true: a zero or empty value is false.
func isTrue(v any) bool {
	truth, _ := template.IsTrue(v)
	return truth
}

// index implements the function index: it returns the value at a[1] in a[0], then at a[2] in that
// value, and so on. An unknown key of a map gives nil; an index out of range panics.
func index(a []any) any {
	value := a[0]
	for _, i := range a[1:] {
		if object, ok := value.(map[string]any); ok {
			value = object[i.(string)]
		} else {
			value = reflect.ValueOf(value).Index(int(number(i))).Interface()
		}
	}
	return value
}

// slice implements the function slice: it returns the part of a[0], a list or text, from index a[1],
// or 0, to index a[2], or its end.
func slice(a []any) any {
	v := reflect.ValueOf(a[0])
	from, to := 0, v.Len()
	if len(a) > 1 {
		from = int(number(a[1]))
	}
	if len(a) > 2 {
		to = int(number(a[2]))
	}
	return v.Slice(from, to).Interface()
}

// number returns an int or a float64 as a float64. It panics for other types.
func number(v any) float64 {
	if i, ok := v.(int); ok {
		return float64(i)
	}
	return v.(float64)
}

// compare orders numbers and texts. Booleans and nil are equal or not.
func compare(a, b any) int {
	switch v := a.(type) {
	case string:
		return strings.Compare(v, b.(string))
	case bool, nil:
		if a == b {
			return 0
		}
		return 1
	}
	return cmp.Compare(number(a), number(b))
}
