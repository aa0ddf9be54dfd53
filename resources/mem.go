package resources

// Mem is something learnt: an insight, or a path that proved false.
type Mem = Resource[MemSpec, MemStatus]

// MemSpec is what was learnt.
type MemSpec struct {
	Content    string   `json:"content" idumb:"required" doc:"What was learnt. For a false path: AVOID x BECAUSE y INSTEAD z."`
	Title      string   `json:"title,omitempty" doc:"A short name for people."`
	Type       string   `json:"type,omitempty" idumb:"enum=insight|false_path|architecture|decision|pattern|tech-stack|research|codebase-fact|convention|gotcha" doc:"What sort of knowledge it is. Default insight."`
	Shelf      string   `json:"shelf,omitempty" doc:"A group that mems are kept in."`
	Tags       []string `json:"tags,omitempty" doc:"Words to find it by."`
	OriginTask string   `json:"originTask,omitempty" idumb:"ref=tasks" doc:"The task in which it was learnt."`
	Parent     string   `json:"parent,omitempty" idumb:"ref=mems" doc:"The mem that this one refines."`
	RelatedTo  []string `json:"relatedTo,omitempty" idumb:"format=reference" doc:"Other objects, as kind/name or, for mems, by name."`
	Supersedes string   `json:"supersedes,omitempty" idumb:"ref=mems" doc:"The mem that this one replaces."`
	Evidence   []string `json:"evidence,omitempty" doc:"What shows that it is so."`
	Confidence *int     `json:"confidence,omitempty" idumb:"min=0,max=100" doc:"How sure one is when writing it, 0-100. Default 80."`
	StaleAfter string   `json:"staleAfter,omitempty" idumb:"format=duration" doc:"The S of the forgetting curve, as a duration. Default 720h; for a false path 1440h."`
	Source     string   `json:"source,omitempty" doc:"Where it comes from."`
	Pinned     bool     `json:"pinned,omitempty" doc:"Does not decay."`
}

// FalsePath is the type of a mem that says what not to do.
const FalsePath = "false_path"

// MemStatus is what holds about a mem.
type MemStatus struct {
	Common
	Confidence   int    `json:"confidence" doc:"What is left of spec.confidence today, 0-100."`
	StaleSince   Time   `json:"staleSince,omitzero" doc:"The day on which it turned stale."`
	SupersededBy string `json:"supersededBy,omitempty" doc:"The mem that took its place."`
	AccessCount  int    `json:"accessCount,omitempty" doc:"How often it was recalled by name."`
	LastAccessed Time   `json:"lastAccessedAt,omitzero" doc:"When it was last recalled by name."`
}
