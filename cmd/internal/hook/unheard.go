package hook

import "bytes"

// seenCalls is a set of what a log tells, for at most half as many lines as it has room for.
type seenCalls [512]uint64

// add reports whether something is new.
func (s *seenCalls) add(what uint64) bool {
	at := what % uint64(len(s))
	for s[at] != 0 {
		if s[at] == what {
			return false
		}
		at = (at + 1) % uint64(len(s))
	}
	s[at] = what
	return true
}

// unheard reports that nothing in a log comes again, for sure, and that a call of that id
// does not either: then no trigger has anything to count. It is what is found of nearly
// every call, and takes a log of 8 KB a few microseconds. Whatever is not as note
// writes it is left to those who read more closely.
func unheard(log []byte, id string) bool {
	var seen seenCalls
	for lines := 0; len(log) > 0; lines++ {
		line := log
		if end := bytes.IndexByte(log, '\n'); end >= 0 {
			line, log = log[:end], log[end+1:]
		} else {
			log = nil
		}
		what, of, ok := noted(line)
		switch {
		case !ok || lines == len(seen)/2 || string(what) == pastFailed || string(of) == id:
			return false
		case string(what) == pastAnew && string(of) == nobody:
			seen = seenCalls{}
			continue
		}
		number, ok := hexNumber(of)
		if !ok {
			return false
		}
		if string(what) == pastAnew {
			seen = seenCalls{}
		} else if number += uint64(what[0]); number == 0 || !seen.add(number) {
			return false
		}
	}
	return true
}

// noted takes a line apart. When it was does not matter here, but for having been told.
func noted(line []byte) (what, id []byte, ok bool) {
	at, rest, _ := bytes.Cut(line, []byte{' '})
	what, id, _ = bytes.Cut(rest, []byte{' '})
	if len(at) == 0 || len(at) > 18 || len(what) == 0 {
		return nil, nil, false
	}
	for _, b := range at {
		if b < '0' || b > '9' {
			return nil, nil, false
		}
	}
	return what, id, true
}

// hexNumber reads the id of a call, 16 digits.
func hexNumber(id []byte) (n uint64, ok bool) {
	for _, b := range id {
		switch {
		case b >= '0' && b <= '9':
			n = n<<4 | uint64(b-'0')
		case b >= 'a' && b <= 'f':
			n = n<<4 | uint64(b-'a'+10)
		default:
			return 0, false
		}
	}
	return n, len(id) == 16
}
