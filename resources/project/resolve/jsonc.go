package resolve

import "github.com/idumb-dev/idumb/resources/project/manifest"

// jsonc reads JSON with comments and commas before closing brackets, as tsconfig.json has
// them. What cannot be read is left out.
func jsonc(data []byte) *manifest.Node {
	node, _ := manifest.JSON(plainJSON(data)) // half a manifest says more than none
	return node
}

// plainJSON blanks comments and commas that nothing follows.
func plainJSON(data []byte) []byte {
	plain := make([]byte, 0, len(data))
	comma := -1 // where the last one stands, if nothing but space came since
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

// tokenEnd is where the string or comment ends that begins at a place; one further for all else.
func tokenEnd(data []byte, i int) int {
	switch {
	case data[i] == '"':
		return stringEnd(data, i)
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

func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
