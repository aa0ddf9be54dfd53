package source

import "slices"

// doubt takes the sums of the declarations that may not be what they seem, in a file whose
// brackets or strings do not match.
func (s *script) doubt() {
	if !s.torn {
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

// unmatched says what is in doubt: all before the last bracket that closes nothing, all after
// the first that is never closed, and the lines of those that others closed around. Where no
// bracket is at fault, all is.
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
