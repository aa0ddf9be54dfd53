package main

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// showGraphs shows how plans are laid out: the whole with -o json.
func showGraphs(a *app, ctx context.Context, g *getFlags, args []string) error {
	names := url.Values{}
	for _, arg := range args {
		names.Add("name", strings.TrimPrefix(arg, "workplan/"))
	}
	table := recordTable[questions.Graph]{
		headers: []string{"NAME", "TASKS", "NODES", "EDGES", "RANKS", "CRITICAL", "PATH"}, always: 6, nothing: "No plans found",
		name: func(r questions.Graph) string { return "graph/" + r.Metadata.Name },
		row: func(r questions.Graph) []string {
			s := &r.Status
			return []string{r.Metadata.Name, strconv.Itoa(s.Tasks), strconv.Itoa(len(s.Nodes)), strconv.Itoa(len(s.Edges)), strconv.Itoa(s.Ranks), strconv.Itoa(len(s.Critical)), strings.Join(s.Critical, ",")}
		},
	}
	return showComputed(a, g, table, func() ([]questions.Graph, inventory.Scope, error) {
		found, err := ask[questions.Graphs](a.answers(ctx, planning[:]...), questions.AskGraphs, names)
		return found.Items, inventory.Scope{}, err
	})
}
