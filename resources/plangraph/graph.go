// Package plangraph lays out the tasks of a plan for people: as a graph in ranks, of which what
// nobody needs to see now is folded away, and as lanes for a terminal. It is pure: the same tasks
// give the same bytes on every machine, so there are no floating point numbers and no maps that
// are walked in their own order.
package plangraph

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Task is a task as it is drawn.
type Task struct {
	Name   string
	Title  string
	Phase  string   // of its status: resources.TaskActive, ...
	Stage  string   // of the plan; "" for none
	Holder string   // who works on it, as a cell
	Needs  []string // the tasks that come first; others than those given are not drawn
	Gate   string   // the one of Needs that is a gate; "" for none
}

// Options say what of a plan is to be seen.
type Options struct {
	Selected string   // a task: what is near it stays in sight
	Open     []string // names of groups that somebody opened
}

// MaxNodes is how many nodes a graph has at most: a page that draws more stalls.
const MaxNodes = 150

// Graph is a plan laid out.
type Graph struct {
	Ranks    int      `json:"ranks"` // one more than the greatest rank
	Tasks    int      `json:"tasks"` // how many there are, folded ones among them
	Critical []string `json:"critical,omitempty"`
	Nodes    []Node   `json:"nodes"` // by rank, then by order
	Edges    []Edge   `json:"edges"` // by their ends
}

// Place is the centre of something across its rank, from 0 on: in pixels where the ranks go Down
// the page, and where they go Across it.
type Place struct {
	Down   int `json:"down"`
	Across int `json:"across"`
}

// Node is a task, or a group of them.
type Node struct {
	Name     string   `json:"name"` // of a group: done/STAGE, later/STAGE, like/TASK or rest/STAGE
	Title    string   `json:"title"`
	Phase    string   `json:"phase"` // of all in a group; "" where that differs
	Stage    string   `json:"stage,omitempty"`
	Holder   string   `json:"holder,omitempty"`
	Needs    int      `json:"needs,omitempty"` // how many tasks it still waits for
	Critical bool     `json:"critical,omitempty"`
	Circle   bool     `json:"circle,omitempty"` // it waits for itself
	Tasks    []string `json:"tasks,omitempty"`  // of a group, by name
	Rank     int      `json:"rank"`             // how many nodes come before it, one after the other
	Order    int      `json:"order"`            // within its rank
	At       Place    `json:"at"`
}

// How an edge stands.
const (
	Met    = "met"    // what comes first is done
	Waits  = "wait"   // it is not
	Hot    = "hot"    // somebody works on it
	Circle = "circle" // both ends wait for each other
)

// Edge leads from what comes first to what waits for it.
type Edge struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	State string  `json:"state"` // Met, Waits, Hot or Circle
	Gate  bool    `json:"gate,omitempty"`
	Via   []Place `json:"via,omitempty"` // where it crosses each rank between its ends
}

// Make lays out tasks. Of two of one name the first counts.
func Make(tasks []Task, o Options) Graph {
	n := newNet(tasks)
	g := Graph{Tasks: len(n.tasks), Nodes: []Node{}, Edges: []Edge{}, Critical: n.critical()}
	drawn := n.draw(fold(n, &o, g.Critical), g.Critical)
	if len(drawn.edges) > 3*MaxNodes {
		drawn.reduce()
	}
	l := newLayers(drawn)
	l.sweep()
	l.place()
	g.Ranks = len(l.ranks)
	for _, rank := range l.ranks {
		for _, v := range rank {
			if v < len(drawn.nodes) {
				g.Nodes = append(g.Nodes, drawn.nodes[v])
			}
		}
	}
	for _, e := range drawn.edges {
		g.Edges = append(g.Edges, e.Edge)
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		if by := strings.Compare(a.From, b.From); by != 0 {
			return by
		}
		return strings.Compare(a.To, b.To)
	})
	return g
}

// over reports whether nothing is to be done any more in a phase.
func over(phase string) bool {
	return phase == resources.TaskCompleted || phase == resources.TaskAbandoned
}

// working reports whether somebody works, or looks, in a phase.
func working(phase string) bool {
	return phase == resources.TaskActive || phase == resources.TaskReview
}
