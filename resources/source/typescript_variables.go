package source

// variables declares the variables of a const, let or var statement, starting with the
// first name or pattern.
func (s *script) variables(first, i int, exported bool) (next int) {
	kind := Variable
	if s.word(i-1, "const", "using") {
		kind = Constant
	}
	for from := i; ; {
		names, value := s.binding(i)
		end := value
		if s.is(value, "=") {
			end = s.expression(value + 1)
		}
		single := i == from && !s.is(end, ",")
		begin, last := i, end-1
		if single {
			begin, last = first, s.terminated(end-1)
		}
		what, head := s.valued(kind, value, end)
		for _, n := range names {
			s.add(what, n, begin, head, last, exported)
		}
		if !s.is(end, ",") {
			return s.terminated(end-1) + 1
		}
		i = end + 1
	}
}

// binding parses a name, or the names of a pattern, and its type. value is the token after
// it.
func (s *script) binding(i int) (names []int, value int) {
	switch {
	case s.is(i, "{", "["):
		value = s.tokenAfter(i)
		names = s.boundNames(i, value-1)
	case s.isWord(i):
		names, value = []int{i}, i+1
	default:
		return nil, i
	}
	if s.is(value, "!") && !s.newLine(value) {
		value++
	}
	if s.is(value, ":") {
		value = s.typeEnd(value + 1)
	}
	return names, value
}

// boundNames returns the names that a pattern binds: for {a, b: c, d = 1, ...e} it returns a, c,
// d and e.
func (s *script) boundNames(i, end int) (names []int) {
	var open []int
	for ; i < end; i++ {
		switch key := len(open) > 0 && s.is(open[len(open)-1], "{") && s.is(i-1, "{", ","); {
		case s.is(i, "[") && key:
			i = s.tokenAfter(i) - 1
		case s.is(i, "{", "["):
			open = append(open, i)
		case s.is(i, "}", "]") && len(open) > 0:
			open = open[:len(open)-1]
		case s.is(i, "="):
			i = s.expression(i+1) - 1
		case s.isWord(i) && !(key && s.is(i+1, ":")):
			names = append(names, i)
		}
	}
	return names
}

// valued returns the kind of a declaration with a value, and the end of its signature. The
// signature ends before the body of a function, and before a value with more than one
// token.
func (s *script) valued(kind string, value, end int) (what string, head int) {
	if !s.is(value, "=") {
		return kind, end
	}
	i := value + 1
	if s.word(i, "async") && !s.newLine(i+1) && !s.is(i+1, "=>", ".") {
		i++
	}
	if s.word(i, "function") {
		if i++; s.is(i, "*") {
			i++
		}
		if s.isWord(i) {
			i++
		}
		return Function, s.header(i)
	}
	if after := s.header(i); s.is(after, "=>") && after > i {
		return Function, after
	}
	if s.isWord(i) && s.is(i+1, "=>") {
		return Function, i + 1
	}
	if end <= value+2 {
		return kind, end
	}
	return kind, value
}
