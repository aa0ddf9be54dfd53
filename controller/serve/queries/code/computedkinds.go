package code

import (
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// ComputedKinds returns all computed kinds, with signs in Unicode or ASCII.
func ComputedKinds(unicode bool) []ComputedKind {
	return []ComputedKind{technologiesKind(), documentsKind(), sourcesKind(), symbolsKind(), Needs(unicode), graphsKind(), todosKind()}
}

// technologiesKind returns the kind of the technologies of the project.
func technologiesKind() ComputedKind {
	type record = TechnologyRecord
	return complete(ComputedKind{
		Plural: "technologies", Singular: "technology", Name: "Technology", ShortNames: []string{"tech"},
		Doc: "Technologies of the project, with evidence.", EmptyText: "No technologies found",
		Columns: []ComputedColumn{
			column("NAME", func(r *record) string { return r.Status.Name }),
			column("CATEGORY", func(r *record) string { return r.Status.Category }),
			column("VERSION", func(r *record) string { return r.Status.Version }),
			column("ROLE", func(r *record) string { return r.Status.Role }),
			column("WORKSPACE", func(r *record) string { return r.Status.Dir }),
			column("EVIDENCE", func(r *record) string { return strings.Join(r.Status.Evidence[:min(1, len(r.Status.Evidence))], "") }),
			wide("THROUGH", func(r *record) string { return r.Status.Through }),
		},
	}, AskTechnologies, func(a *Technologies) ([]record, inventory.Scope) { return a.Items, inventory.Scope{} },
		func(r *record) string { return r.Metadata.Name })
}

// documentsKind returns the kind of the documents of the working tree.
func documentsKind() ComputedKind {
	type record = DocumentRecord
	return complete(ComputedKind{
		Plural: "documents", Singular: "document", Name: "Document", ShortNames: []string{"docs", "doc"},
		Doc: "A document of the working tree, with its class and state.", Arguments: Places, EmptyText: "No documents found",
		Columns: []ComputedColumn{
			column("PATH", func(r *record) string { return r.Status.Path }),
			column("CLASS", func(r *record) string { return r.Status.Class }),
			column("STATE", func(r *record) string { return r.Status.State }),
			column("FRAMEWORK", func(r *record) string { return r.Status.Framework }),
			column("SECTIONS", func(r *record) string { return strconv.Itoa(len(r.Status.Sections)) }),
			column("BOXES", func(r *record) string { return boxes(r.Status.BoxesDone, r.Status.BoxesOpen) }),
			wide("TITLE", func(r *record) string { return r.Status.Title }),
		},
	}, AskDocuments, func(a *Documents) ([]record, inventory.Scope) { return a.Items, inventory.Scope{} },
		func(r *record) string { return r.Metadata.Name })
}

// boxes returns the number of ticked check boxes and their total, or "".
func boxes(done, open int) string {
	if done+open == 0 {
		return ""
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(done+open)
}

// sourcesKind returns the kind of the code files, with their imports and exports.
func sourcesKind() ComputedKind {
	type record = SourceRecord
	return complete(ComputedKind{
		Plural: "sources", Singular: "source", Name: "Source", ShortNames: []string{"src"},
		Doc: "A code file: its exports, its imports and the files that import it.", Arguments: Places, EmptyText: "No files of code found",
		Columns: []ComputedColumn{
			column("PATH", func(r *record) string { return r.Status.Path }),
			column("LANGUAGE", func(r *record) string { return r.Status.Language }),
			column("LINES", func(r *record) string { return strconv.Itoa(r.Status.Lines) }),
			column("EXPORTS", func(r *record) string { return strconv.Itoa(len(r.Status.Exports)) }),
			column("IMPORTS", func(r *record) string { return strconv.Itoa(len(r.Status.Imports)) }),
			column("DEPENDENTS", func(r *record) string { return strconv.Itoa(r.Status.Dependents.Direct) }),
			column("TESTS", func(r *record) string { return strconv.Itoa(r.Status.Dependents.Test) }),
			wide("KNOT", func(r *record) string { return strconv.Itoa(r.Status.Knot) }),
			wide("WORKSPACE", func(r *record) string { return r.Status.Workspace }),
			wide("OWNERS", func(r *record) string { return strings.Join(r.Status.Owners, ",") }),
		},
	}, AskSources, func(a *Sources) ([]record, inventory.Scope) { return a.Items, a.Scope },
		func(r *record) string { return r.Metadata.Name })
}

// symbolsKind returns the kind of the declarations in code files.
func symbolsKind() ComputedKind {
	type record = SymbolRecord
	return complete(ComputedKind{
		Plural: "symbols", Singular: "symbol", Name: "Symbol", ShortNames: []string{"sym"},
		Doc: "A declaration in a file of code, with its lines.", Arguments: Citations, Many: true, EmptyText: "No symbols found",
		Columns: []ComputedColumn{
			column("NAME", func(r *record) string { return r.Metadata.Name }),
			column("KIND", func(r *record) string { return r.Status.Kind }),
			column("LINES", func(r *record) string { return strconv.Itoa(r.Status.From) + "-" + strconv.Itoa(r.Status.To) }),
			column("SIGNATURE", func(r *record) string { return r.Status.Signature }),
			wide("DOC", func(r *record) string { return r.Status.Doc }),
		},
	}, AskSymbols, func(a *Symbols) ([]record, inventory.Scope) { return a.Items, a.Scope },
		func(r *record) string { return r.Metadata.Name })
}

// Needs returns the kind of items that wait for the user, with signs in Unicode
// or ASCII.
func Needs(unicode bool) ComputedKind {
	type record = queries.NeedRecord
	return complete(ComputedKind{
		Plural: "needs", Singular: "need", Name: "Need",
		Doc: "Items that need the user, most urgent first.", EmptyText: "No resources found",
		Columns: []ComputedColumn{
			column("SIGN", func(r *record) string { return r.Status.Sign.Draw(unicode) }),
			column("WHO", func(r *record) string { return r.Status.Subject }),
			column("WHAT", func(r *record) string { return r.Status.Text }),
			{Header: "AGE", Cell: func(r any, now time.Time) string { return since(r.(record).Status.Since.Time, now) }},
			column("DO", func(r *record) string {
				if len(r.Status.Do) == 0 {
					return ""
				}
				return r.Status.Do[0].Command
			}),
			wide("BEHIND", func(r *record) string { return strconv.Itoa(r.Status.Dependents) }),
			wide("WHY", func(r *record) string { return r.Status.Why }),
		},
	}, queries.AskNeeds, func(a *queries.Needs) ([]record, inventory.Scope) { return a.Items, inventory.Scope{} },
		func(r *record) string { return r.Metadata.Name })
}

// since returns an age. It returns "" for the zero time.
func since(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return queries.Age(t, now)
}

// graphsKind returns the kind of the layouts of plans.
func graphsKind() ComputedKind {
	type record = queries.Graph
	return complete(ComputedKind{
		Plural: "graphs", Singular: "graph", Name: "Graph",
		Doc: "The tasks of a plan laid out, with the longest chain among them.", EmptyText: "No plans found",
		Columns: []ComputedColumn{
			column("NAME", func(r *record) string { return r.Metadata.Name }),
			column("TASKS", func(r *record) string { return strconv.Itoa(r.Status.Tasks) }),
			column("NODES", func(r *record) string { return strconv.Itoa(len(r.Status.Nodes)) }),
			column("EDGES", func(r *record) string { return strconv.Itoa(len(r.Status.Edges)) }),
			column("RANKS", func(r *record) string { return strconv.Itoa(r.Status.Ranks) }),
			column("CRITICAL", func(r *record) string { return strconv.Itoa(len(r.Status.Critical)) }),
			wide("PATH", func(r *record) string { return strings.Join(r.Status.Critical, ",") }),
		},
	}, queries.AskGraphs, func(a *queries.Graphs) ([]record, inventory.Scope) { return a.Items, inventory.Scope{} },
		func(r *record) string { return r.Metadata.Name })
}

// todosKind returns the kind of the to-do lists that agents keep in their hosts.
func todosKind() ComputedKind {
	type record = queries.TodoRecord
	return complete(ComputedKind{
		Plural: "todos", Singular: "todo", Name: "Todo",
		Doc: "The to-do list of an agent in its host, with the current and the open items.", EmptyText: "No agent keeps a to-do list",
		Columns: []ComputedColumn{
			column("SESSION", func(r *record) string { return r.Metadata.Name }),
			column("AGENT", func(r *record) string { return r.Status.Agent }),
			column("STATE", func(r *record) string { return r.Status.State }),
			column("DONE", func(r *record) string { return strconv.Itoa(r.Status.Done) + "/" + strconv.Itoa(r.Status.Total) }),
			column("NOW", func(r *record) string { return r.Status.Current }),
			{Header: "AGE", Cell: func(r any, now time.Time) string { return since(r.(record).Status.UpdatedAt.Time, now) }},
			column("WORKTREE", func(r *record) string { return r.Status.WorktreeName() }),
			wide("LEFT", func(r *record) string {
				var left []string
				for _, t := range r.Status.Items {
					if t.IsOpen() {
						left = append(left, t.Text)
					}
				}
				return strings.Join(left, "; ")
			}),
		},
	}, queries.AskTodoLists, func(a *queries.TodoLists) ([]record, inventory.Scope) { return a.Items, inventory.Scope{} },
		func(r *record) string { return r.Metadata.Name })
}
