package source

// receiverEnd returns the token after the name of a function or property that begins at
// token i. A receiver type may precede the name.
func (k kotlin) receiverEnd(i, end int) int {
	for i < end {
		switch {
		case k.is(i, "@"):
			i = k.annotation(i)
		case k.is(i, "(") && k.is(k.tokenAfter(i), ".", "?"), k.is(i, "<") && k.tokenAfter(i) > i+1:
			i = k.tokenAfter(i)
		case k.is(i, ".", "?"), k.word(i) && (!k.word(i-1) || k.is(i-1, "fun", "val", "var", "suspend") || k.is(i-2, "@")):
			i++
		default:
			return i
		}
	}
	return end
}

// function declares the function whose keyword is token i.
func (k kotlin) function(s scope, h kotlinHead, i int) int {
	parameters := k.receiverEnd(i+1, s.end)
	if !k.is(parameters, "(") || !k.word(parameters-1) {
		return k.expression(i+1, s.end)
	}
	return k.finishFunction(s, h, parameters-1, parameters)
}

// finishFunction declares a function or constructor.
func (k kotlin) finishFunction(s scope, h kotlinHead, name, parameters int) int {
	kind := Method
	if s.kind == "" {
		kind = Function
	}
	head := k.head(k.tokenAfter(parameters), s.end, true)
	last := head - 1
	switch {
	case head >= s.end:
	case k.is(head, "{"):
		last = k.closing(head, s.end)
	case k.is(head, "="):
		last = k.expression(head+1, s.end) - 1
	}
	k.declare(Symbol{Name: k.rawName(name), Owner: s.owner, Kind: kind, Exported: !h.isHidden}, s.next, head, last)
	return last + 1
}

// kindOfProperty returns the kind of the property that token i declares: Constant for val, Variable for var. It returns
// "" if token i is neither.
func (k kotlin) kindOfProperty(i int) string {
	switch {
	case k.is(i, "val"):
		return Constant
	case k.is(i, "var"):
		return Variable
	}
	return ""
}

// property declares the property whose keyword is token i. It ignores destructuring
// declarations, which are local to a script.
func (k kotlin) property(s scope, h kotlinHead, i int) int {
	after := k.receiverEnd(i+1, s.end)
	head := k.head(after, s.end, true)
	end := head
	if k.is(head, "=", "by") && head < s.end {
		end = k.expression(head+1, s.end)
	}
	end = k.accessors(end, s.end)
	if !k.is(after-1, ")") {
		k.declare(Symbol{Name: k.rawName(after - 1), Owner: s.owner, Kind: k.kindOfProperty(i), Exported: !h.isHidden}, s.next, head, end-1)
	}
	return end
}

// accessors returns the token after the accessors of a property.
func (k kotlin) accessors(i, end int) int {
	for {
		at := i
		if k.is(at, ";") {
			at++
		}
		_, at = k.modifiers(at)
		if at >= end || !k.accessor(at) {
			return i
		}
		if i = at + 1; !k.is(i, "(") || !k.adjoins(i) {
			continue
		}
		if i = k.head(k.tokenAfter(i), end, true); k.is(i, "{") && i < end {
			i = k.tokenAfter(i)
		} else if k.is(i, "=") && i < end {
			i = k.expression(i+1, end)
		}
	}
}

// accessor reports whether an accessor of a property begins at token i.
func (k kotlin) accessor(i int) bool {
	return k.is(i, "get", "set") && (k.is(i+1, "(", ";", "}") || k.newLine(i+1) || i+1 >= len(k.tokens))
}
