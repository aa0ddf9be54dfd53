package command

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// commandsText is the one table of what is known of commands by their names. It says itself
// what its rows and columns mean.
//
//go:embed commands.txt
var commandsText string

// row is one row of it: a column each.
type row struct {
	names, words                         string
	takes, code                          string
	needs, also, spares                  string
	how, tree, output, whole             string
	judge, rule                          string
	operands                             int
	unsure, remote, late, assigns, reads bool
}

// commandTable is the table, read when it is first asked for.
var commandTable = sync.OnceValue(readTable)

// rows are the rows of a kind that are about a command, in the order of the table.
func rows(kind, name string) []*row {
	var about []*row
	for _, r := range commandTable()[kind] {
		if hasWord(r.names, name) {
			about = append(about, r)
		}
	}
	return about
}

// isOf reports whether a row of a kind is about a command.
func isOf(kind, name string) bool { return len(rows(kind, name)) > 0 }

// listOf is a list of options with a value that several rows share.
func listOf(name string) string { return rows("list", name)[0].takes }

// readTable reads the table by kind.
func readTable() map[string][]*row {
	all, lists := map[string][]*row{}, map[string]string{}
	for line := range strings.Lines(commandsText) {
		about, cells, _ := strings.Cut(strings.TrimSpace(line), "; ")
		kind, names, found := strings.Cut(about, " ")
		if !found || kind == "#" {
			continue
		}
		r := &row{names: names}
		for cells != "" {
			var cell string
			cell, cells, _ = strings.Cut(cells, "; ")
			column, value, _ := strings.Cut(cell, " ")
			if list, ok := strings.CutPrefix(value, "@"); ok {
				first, more, _ := strings.Cut(list, " ")
				value = strings.TrimSpace(lists[first] + " " + more)
			}
			r.set(column, value)
		}
		if kind == "list" {
			lists[names] = r.takes
		}
		all[kind] = append(all[kind], r)
	}
	return all
}

// set fills in a column; false if there is none of that name.
func (r *row) set(column, value string) bool {
	switch column {
	case "words":
		r.words = value
	case "takes":
		r.takes = value
	case "code":
		r.code = value
	case "needs":
		r.needs = value
	case "also":
		r.also = value
	case "spares":
		r.spares = value
	case "how":
		r.how = value
	case "tree":
		r.tree = value
	case "output":
		r.output = value
	case "whole":
		r.whole = value
	case "judge":
		r.judge = value
	case "rule":
		r.rule = value
	case "operands":
		r.operands, _ = strconv.Atoi(value)
	case "unsure":
		r.unsure = true
	case "remote":
		r.remote = true
	case "late":
		r.late = true
	case "assigns":
		r.assigns = true
	case "reads":
		r.reads = true
	default:
		return false
	}
	return true
}
