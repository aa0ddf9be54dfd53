package questions

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// column makes a column of a kind out of a function on that kind's types. The
// cell of an object that was never readable is empty.
func column[S, T any](header string, cell func(*resources.Resource[S, T], *T) string) Column {
	return Column{Header: header, Cell: func(e *Entry, _ time.Time) string {
		object, ok := e.Object.(*resources.Resource[S, T])
		if !ok {
			return ""
		}
		status, ok := e.Status.(*T)
		if !ok {
			status = new(T)
		}
		return cell(object, status)
	}}
}

// wide is column, for -o wide only.
func wide[S, T any](header string, cell func(*resources.Resource[S, T], *T) string) Column {
	c := column(header, cell)
	c.Wide = true
	return c
}

// brief lists the first three and says how many more there are.
func brief(names []string) string {
	const shown = 3
	if len(names) > shown {
		return fmt.Sprintf("%s +%d more", strings.Join(names[:shown], ","), len(names)-shown)
	}
	return strings.Join(names, ",")
}

// short cuts a text that may be long to what a cell can hold, at a character.
func short(s string) string {
	const most = 60
	for i := range s {
		if i > most {
			return s[:i] + "..."
		}
	}
	return s
}

func source(s *resources.AnchorSource) string {
	switch {
	case s == nil:
		return ""
	case s.File != "" && s.Line > 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	case s.File != "":
		return s.File
	case s.Task != "":
		return "task/" + s.Task
	}
	return ""
}

// required names what a chain rule wants, in brief.
func required(wants []resources.ChainRequirement) string {
	var all []string
	for _, want := range wants {
		all = append(all, strings.TrimSpace(strings.Join(want.Files, "|")+want.Resource+" "+want.Condition))
	}
	return brief(all)
}

func number(n, otherwise int) string { return strconv.Itoa(cmp.Or(n, otherwise)) }
