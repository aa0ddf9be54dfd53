package resources

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Limits of a file. They are checked before decoding.
const (
	// MaxFileSize is the maximum size of an object's file: 1 MiB.
	MaxFileSize = 1 << 20
	// MaxNesting is the maximum nesting of objects and lists.
	MaxNesting = 32
)

// precheck returns a problem for a text that a decoder need not see: too large,
// empty, not UTF-8, too deeply nested, or with a byte order mark, conflict
// markers or a NUL byte. Its messages are more specific than the errors of a
// parser. It returns nil for any other text.
func precheck(data []byte) *Problem {
	switch {
	case len(data) > MaxFileSize:
		return &Problem{Reason: fmt.Sprintf("the file has %d bytes; at most 1 MiB is read", len(data)), Remedy: "move large texts to a separate file and refer to it"}
	case len(bytes.TrimSpace(data)) == 0:
		return &Problem{Reason: "the file is empty", Remedy: "write the object into it, or remove the file"}
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return problemAt(data, 0, "", "the file begins with a byte order mark", "save it as UTF-8 without BOM")
	}
	if at := conflictMarker(data); at >= 0 {
		return problemAt(data, at, "", "the file has git conflict markers", "resolve the conflict, then remove the lines that begin with <<<<<<<, ======= and >>>>>>>")
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return problemAt(data, at, "", "the file has a NUL byte", "remove it; the file may have been damaged")
	}
	if at := invalidUTF8(data); at >= 0 {
		return problemAt(data, at, "", fmt.Sprintf("byte 0x%02x is not valid UTF-8", data[at]), "save the file as UTF-8")
	}
	if at := tooDeep(data); at >= 0 {
		return problemAt(data, at, "", fmt.Sprintf("objects and lists are nested deeper than %d", MaxNesting), "flatten the object; no kind needs more than six levels")
	}
	return nil
}

// conflictMarker returns the offset of the first git conflict marker at the start of a
// line, or -1.
func conflictMarker(data []byte) int {
	for _, marker := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		for from := 0; ; from++ {
			at := bytes.Index(data[from:], []byte(marker)) // searches for the marker, which is rarer than a newline
			if at < 0 {
				break
			}
			if from += at; from == 0 || data[from-1] == '\n' {
				return from
			}
		}
	}
	return -1
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// tooDeep returns the offset at which the nesting limit is exceeded, or -1. It considers
// brackets outside strings only. Most files contain fewer brackets than the limit, so
// counting them first is cheap.
func tooDeep(data []byte) int {
	if bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) <= MaxNesting {
		return -1
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxNesting {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

// problemAt returns a Problem with the line and column of an offset into data.
func problemAt(data []byte, at int, field, reason, remedy string) *Problem {
	at = min(max(at, 0), len(data))
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(data[:at], '\n')
	return &Problem{Line: line, Column: column, Field: field, Reason: reason, Remedy: remedy}
}
