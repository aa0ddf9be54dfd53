// Package graphlayout lays out the tasks of a plan: as a layered graph with hidden irrelevant
// parts, and as lanes for a terminal. The result is the same on every machine, so it uses
// neither floating point numbers nor map iteration order.
package graphlayout

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Task is a task to draw.
type Task struct {
	Name   string
	Title  string
	Phase  string   // phase of its status: resources.TaskActive, ...
	Stage  string   // stage of the plan; may be empty
	Holder string   // owner of the task, for a table cell
	Needs  []string // prerequisites; tasks that are not in the list are not drawn
	Gate   string   // prerequisite in Needs that is a gate; may be empty
}

// Options select the visible part of a plan.
type Options struct {
	Selected string   // selected task; nearby tasks remain visible
	Open     []string // names of expanded groups
}

// MaxNodes is the maximum number of nodes in a graph. A page with more nodes becomes slow.
const MaxNodes = 150

// Graph is a plan with its layout.
type Graph struct {
	Ranks    int      `json:"ranks"` // greatest rank plus one
	Tasks    int      `json:"tasks"` // number of tasks, including hidden ones
	Critical []string `json:"critical,omitempty"`
	Nodes    []Node   `json:"nodes"` // by rank, then by order
	Edges    []Edge   `json:"edges"` // sorted by their ends
}

// Place is the center of a node within its rank, in pixels from 0. Row applies
// if ranks go down the page, and Across if they go across it.
type Place struct {
	Row    int `json:"down"`
	Across int `json:"across"`
}

// Node is a task or a group of tasks.
type Node struct {
	Name     string   `json:"name"` // of a group: done/STAGE, later/STAGE, like/TASK or rest/STAGE
	Title    string   `json:"title"`
	Phase    string   `json:"phase"` // common phase of a group; empty if phases differ
	Stage    string   `json:"stage,omitempty"`
	Holder   string   `json:"holder,omitempty"`
	Needs    int      `json:"needs,omitempty"` // number of incomplete prerequisites
	Critical bool     `json:"critical,omitempty"`
	Circle   bool     `json:"circle,omitempty"` // it depends on itself
	Tasks    []string `json:"tasks,omitempty"`  // task names of a group
	Rank     int      `json:"rank"`             // length of the longest path to it
	Order    int      `json:"order"`            // within its rank
	Place    Place    `json:"at"`
}

// States of edges.
const (
	Satisfied = "met"    // the prerequisite is completed
	Waits     = "wait"   // the prerequisite is open
	Hot       = "hot"    // the prerequisite is in progress
	Circle    = "circle" // both ends are in the same cycle
)

// Edge leads from a prerequisite to a dependent.
type Edge struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	State string  `json:"state"` // Satisfied, Waits, Hot or Circle
	Gate  bool    `json:"gate,omitempty"`
	Via   []Place `json:"via,omitempty"` // crossing points in the ranks between its ends
}

// Make lays out tasks. If two tasks have the same name, it uses the first one.
func Make(tasks []Task, o Options) Graph {
	n := newNet(tasks)
	g := Graph{Tasks: len(n.tasks), Nodes: []Node{}, Edges: []Edge{}, Critical: n.critical()}
	drawn := n.draw(fold(n, &o, g.Critical), g.Critical)
	if len(drawn.edges) > 3*MaxNodes {
		drawn.reduce()
	}
	l := newLayers(drawn)
	// Each rank is ordered by the average position of its neighbors (the barycenter heuristic).
	for s := range sweeps {
		for r := range l.ranks {
			if s%2 == 0 {
				l.sort(r, r-1, l.previousRank)
			} else {
				l.sort(len(l.ranks)-1-r, len(l.ranks)-r, l.nextRank)
			}
		}
	}
	for v := range l.nodes {
		l.nodes[v].Rank, l.nodes[v].Order = l.rank[v], l.order[v]
	}
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

// hasEnded reports whether a phase is completed or abandoned.
func hasEnded(phase string) bool {
	return phase == resources.TaskCompleted || phase == resources.TaskAbandoned
}

// working reports whether a task in a phase is in progress or in review.
func working(phase string) bool {
	return phase == resources.TaskActive || phase == resources.TaskReview
}
