package queries

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// column returns a column of a kind from a function on the kind's types. The
// cell is empty for an object that was never readable.
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

// wide is like column, for -o wide only.
func wide[S, T any](header string, cell func(*resources.Resource[S, T], *T) string) Column {
	c := column(header, cell)
	c.Wide = true
	return c
}

// briefList joins the first three names and adds the number of the others.
func briefList(names []string) string {
	const shown = 3
	if len(names) > shown {
		return fmt.Sprintf("%s +%d more", strings.Join(names[:shown], ","), len(names)-shown)
	}
	return strings.Join(names, ",")
}

// truncate truncates a text to the width of a cell, at a character boundary.
func truncate(s string) string {
	const most = 60
	for i := range s {
		if i > most {
			return s[:i] + "..."
		}
	}
	return s
}

// source returns the cell for the source of an anchor: FILE:LINE, FILE or task/NAME.
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

// required summarizes the requirements of a chain rule.
func required(wants []resources.ChainRequirement) string {
	var all []string
	for _, want := range wants {
		all = append(all, strings.TrimSpace(strings.Join(want.Files, "|")+want.Resource+" "+want.Condition))
	}
	return briefList(all)
}

// number returns n as text, or otherwise if n is 0.
func number(n, otherwise int) string { return strconv.Itoa(cmp.Or(n, otherwise)) }
