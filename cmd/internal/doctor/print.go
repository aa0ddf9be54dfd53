package doctor

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// permissionsMatter reports whether permission bits are effective on this system.
const permissionsMatter = runtime.GOOS != "windows"

// Print writes the report as text.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Problems {
		remedy := p.Remedy
		p.Remedy = ""
		fmt.Fprintln(&b, terminal.EscapeLine(p.Error()))
		if remedy != "" {
			fmt.Fprintln(&b, "  remedy: "+terminal.EscapeLine(remedy))
		}
	}
	for _, a := range r.Agents {
		a.print(&b)
	}
	for _, n := range r.Notices {
		fmt.Fprintln(&b, "note: "+terminal.EscapeLine(n))
	}
	if n := len(r.Problems); n > 0 {
		b.WriteString(terminal.Count(n, "problem") + " found.\n")
	} else {
		b.WriteString("No problems found.\n")
		if r.Next != "" {
			fmt.Fprintln(&b, "Next: "+terminal.EscapeLine(r.Next))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// print writes the section of an agent: its checks, then its notes.
func (a Agent) print(b *strings.Builder) {
	program := "not in PATH"
	if a.Program != "" {
		program = strings.TrimSpace(a.Program + " " + a.Version)
	}
	fmt.Fprintf(b, "%s: %s\n", a.Name, a.Installed)
	for _, row := range [...]struct{ name, text string }{
		{"program", program + " (tested with " + a.Verified + ")"}, {"hook", a.Hook}, {"self-test", a.SelfTest}, {"tools", a.Tools},
	} {
		if row.text != "" {
			fmt.Fprintf(b, "  %-10s %s\n", row.name, terminal.EscapeLine(row.text))
		}
	}
	for _, note := range a.Notes {
		fmt.Fprintf(b, "  note: %s\n", terminal.Wrap(terminal.EscapeLine(note), 70, "    "))
	}
}
