package technologies

import (
	"bytes"
	"strings"
)

// goMod reads what a go.mod requires itself: not what others of its modules do.
func (s *scan) goMod(file string) []dependency {
	var all []dependency
	block := ""
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		text, comment, _ := strings.Cut(line, "//")
		fields := strings.Fields(text)
		switch {
		case len(fields) == 0:
			return
		case fields[0] == ")":
			block = ""
			return
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
			return
		case block != "":
			fields = append([]string{block}, fields...)
		}
		d := dependency{role: Runtime, dir: dirOf(file), file: file, line: number}
		switch {
		case fields[0] == "go" && len(fields) == 2:
			d.ecosystem, d.name, d.version = "runtime", "go", fields[1]
		case fields[0] == "require" && len(fields) == 3 && strings.TrimSpace(comment) != "indirect":
			d.ecosystem, d.name, d.version = "go", fields[1], strings.TrimSuffix(strings.TrimPrefix(fields[2], "v"), "+incompatible")
		case fields[0] == "tool" && len(fields) == 2:
			d.ecosystem, d.name, d.role = "go", fields[1], Build
		default:
			return
		}
		all = append(all, d)
	})
	return all
}
