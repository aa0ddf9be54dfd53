package resources

import "bytes"

// layOut lays out JSON that stands on one line as json.Indent does with two spaces. That
// one checks each byte again, which takes longer than writing a status in the first place;
// what comes here has just been written by encoding/json.
func layOut(line []byte) []byte {
	to := make([]byte, 0, 2*len(line))
	depth := 0
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case '"':
			end := i + stringLength(line[i:])
			to = append(to, line[i:end]...)
			i = end
			continue
		case '{', '[':
			to = append(to, c)
			if next := line[i+1]; next == '}' || next == ']' {
				to = append(to, next)
				i++
			} else {
				depth++
				to = newline(to, depth)
			}
		case '}', ']':
			depth--
			to = append(newline(to, depth), c)
		case ',':
			to = newline(append(to, c), depth)
		case ':':
			to = append(to, c, ' ')
		default:
			to = append(to, c)
		}
		i++
	}
	return to
}

// stringLength is the length of the JSON string that text begins with, quotes included.
func stringLength(text []byte) int {
	for i := 1; ; i++ {
		i += bytes.IndexByte(text[i:], '"')
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

func newline(to []byte, depth int) []byte {
	to = append(to, '\n')
	for range depth {
		to = append(to, "  "...)
	}
	return to
}
