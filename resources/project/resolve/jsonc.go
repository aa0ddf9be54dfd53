package resolve

import "github.com/idumb-dev/idumb/resources/project/manifest"

// jsonc parses JSON with comments and trailing commas, as in tsconfig.json. It skips
// invalid parts.
func jsonc(data []byte) *manifest.Node {
	node, _ := manifest.JSON(plainJSON(data)) // a partial manifest is better than none
	return node
}

// plainJSON replaces comments and trailing commas with spaces.
func plainJSON(data []byte) []byte {
	plain := make([]byte, 0, len(data))
	comma := -1 // position of the last comma if only white space followed, or -1
	for i := 0; i < len(data); {
		end := tokenEnd(data, i)
		switch c := data[i]; {
		case c == '/' && end > i+1: // a comment
			plain = append(plain, ' ')
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			plain = append(plain, c)
		default:
			if (c == ']' || c == '}') && comma >= 0 {
				plain[comma] = ' '
			}
			if comma = -1; c == ',' {
				comma = len(plain)
			}
			plain = append(plain, data[i:end]...)
		}
		i = end
	}
	return plain
}

// tokenEnd returns the end of the string or comment at an offset, or the next offset for
// any other byte.
func tokenEnd(data []byte, i int) int {
	switch {
	case data[i] == '"':
		for i++; i < len(data); i++ {
			switch data[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(data)
	case data[i] == '/' && i+1 < len(data) && data[i+1] == '/':
		for ; i < len(data) && data[i] != '\n'; i++ {
		}
		return i
	case data[i] == '/' && i+1 < len(data) && data[i+1] == '*':
		for i += 2; i+1 < len(data); i++ {
			if data[i] == '*' && data[i+1] == '/' {
				return i + 2
			}
		}
		return len(data)
	}
	return i + 1
}
