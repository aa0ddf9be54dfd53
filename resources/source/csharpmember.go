package source

// value declares a method, a property, an event or fields with a type at token i.
func (c csharp) value(s scope, h csharpHead, i int) int {
	if c.is(i, "(") {
		i = c.tokenAfter(i) // a tuple
	}
	for i < s.end && !c.is(i, "(", "{", "=", "=>", ";", ",", "operator") && !(c.is(i, "this") && c.is(i+1, "[")) {
		i = c.tokenAfter(i)
	}
	switch {
	case i >= s.end:
		return i
	case c.is(i, "this"):
		return c.property(s, h, i, c.tokenAfter(i+1))
	case c.is(i, "operator"):
		return c.method(s, h, i, c.until(c.pastOperator(i), s.end, "("))
	}
	name := i - 1
	for c.is(name, "]", ">") && c.tokens[name].pair >= 0 {
		name = int(c.tokens[name].pair) - 1
	}
	switch {
	case !c.word(name) || name < s.next:
		return c.statement(i, s.end)
	case c.is(i, "("):
		return c.method(s, h, name, i)
	case c.is(i, "{", "=>"):
		return c.property(s, h, name, i)
	}
	return c.fields(s, h, name)
}

// pastOperator returns the token after the symbol or type of an operator, which may be ().
func (c csharp) pastOperator(i int) int {
	if c.is(i+1, "(") {
		return c.tokenAfter(i + 1)
	}
	return i + 1
}

// method declares a method.
func (c csharp) method(s scope, h csharpHead, name, parameters int) int {
	head := c.until(c.tokenAfter(parameters), s.end, "{", ";", "=>")
	last := head
	switch {
	case c.is(head, "{"):
		last = c.closing(head, s.end)
	case c.is(head, "=>"):
		last = c.until(head, s.end, ";")
	}
	last = min(last, s.end-1)
	d := Symbol{Name: c.rawName(name), Owner: s.owner, Kind: Method, Exported: h.public}
	if c.is(name-1, "~") {
		d.Name = "~" + d.Name
	}
	c.declare(d, s.next, head, last)
	return last + 1
}

// property declares a property. Its accessors or its expression begin at token head. An
// initializer may follow.
func (c csharp) property(s scope, h csharpHead, name, head int) int {
	last := head
	switch {
	case c.is(head, "{"):
		if last = c.closing(head, s.end); c.is(last+1, "=") {
			last = c.until(last, s.end, ";")
		}
	default:
		last = c.until(head, s.end, ";")
	}
	last = min(last, s.end-1)
	c.declare(Symbol{Name: c.rawName(name), Owner: s.owner, Kind: Variable, Exported: h.public}, s.next, head, last)
	return last + 1
}

// fields declares the fields of a declaration, starting with the first name. The
// checksum of each field covers the modifiers and its value.
func (c csharp) fields(s scope, h csharpHead, name int) int {
	kind := Variable
	if h.constant {
		kind = Constant
	}
	with := c.shared(s.next, name)
	for {
		end := c.until(name, s.end, ",", ";")
		last := end - 1
		if c.is(end, ";") {
			last = end
		}
		c.declareApart(Symbol{Name: c.rawName(name), Owner: s.owner, Kind: kind, Exported: h.public}, with, name, end, last)
		if name = end + 1; !c.is(end, ",") || !c.word(name) {
			return end + 1
		}
	}
}
