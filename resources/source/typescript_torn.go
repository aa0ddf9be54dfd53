package source

import "slices"

// doubt removes the checksums of declarations whose extent is uncertain, because brackets
// or strings in the file do not match.
func (s *script) doubt() {
	if !s.unbalanced {
		return
	}
	s.Partial = "does not parse"
	before, after, lines := s.unmatched()
	for n := range s.Symbols {
		from, to := s.Symbols[n].From-1, s.Symbols[n].To+1
		at, _ := slices.BinarySearch(lines, from)
		if from <= before || to >= after || at < len(lines) && lines[at] <= to {
			s.Symbols[n].Body = ""
		}
	}
}

// unmatched returns the uncertain lines: all lines before the last unmatched closing
// bracket, all lines after the first unclosed bracket, and the lines of other unclosed
// brackets. If all brackets match, the entire file is uncertain.
func (s *script) unmatched() (before, after int, lines []int) {
	after = s.Lines + 2
	for i, t := range s.tokens {
		switch {
		case t.kind != punctToken || t.pair >= 0:
		case s.is(i, ")", "]", "}"):
			before = int(t.line)
		case s.is(i, "(", "[", "{", "${"):
			lines = append(lines, int(t.line))
		}
	}
	if len(s.open) > 0 {
		after = s.lineOf(int(s.open[0]))
	}
	if before == 0 && len(lines) == 0 {
		return s.Lines + 1, after, nil
	}
	return before, after, lines
}
