package resources

// Anchor is a fact that must survive compaction: a decision, a context, a
// checkpoint, something to attend to.
type Anchor = Resource[AnchorSpec, AnchorStatus]

// AnchorSpec is what someone wants remembered.
type AnchorSpec struct {
	Content   string        `json:"content" idumb:"required" doc:"What is to be remembered."`
	Type      string        `json:"type,omitempty" idumb:"enum=decision|context|checkpoint|attention" doc:"What sort of fact it is. Default context."`
	Priority  string        `json:"priority,omitempty" idumb:"enum=critical|high|medium|normal|low" doc:"How much it matters. Default normal."`
	Source    *AnchorSource `json:"source,omitempty" doc:"What the anchor is about; it turns stale when that changes."`
	RelatedTo []string      `json:"relatedTo,omitempty" idumb:"format=reference,set" doc:"Other objects, as kind/name or, for anchors, by name."`
	Pinned    bool          `json:"pinned,omitempty" doc:"Never stale by time alone."`
}

// AnchorSource is what an anchor is about.
type AnchorSource struct {
	File   string `json:"file,omitempty" idumb:"format=path" doc:"A file of the repository, from its root."`
	Line   int    `json:"line,omitempty" idumb:"min=1" doc:"A line in that file."`
	Task   string `json:"task,omitempty" idumb:"ref=tasks" doc:"A task; the anchor turns stale when that is completed, failed, abandoned or gone."`
	SHA256 string `json:"sha256,omitempty" doc:"Of the file when the anchor was made. Without it a file that is newer than the anchor counts as changed."`
}

// Phases of anchors and mems.
const (
	Fresh        = "fresh"
	Fading       = "fading"     // mems only: confidence below the configured threshold
	StalePhase   = "stale"      // too old, or its source changed
	SuspectPhase = "suspect"    // mems only: what it cites has changed
	Gone         = "gone"       // mems only: all that it cites is gone
	Superseded   = "superseded" // mems only: another one took its place
	Ended        = "ended"      // mems only: its spec.validTo has passed
	Pending      = "pending"    // mems only: its spec.validFrom has not come yet
	Purged       = "purged"     // left the context for good; the file stays
)

// AnchorStatus is what holds about an anchor.
type AnchorStatus struct {
	Common
	StalenessHours int  `json:"stalenessHours" doc:"Whole hours since it was made or validated, counted up to the configured limit."`
	StaleSince     Time `json:"staleSince,omitzero" doc:"When it turned stale by time; for a changed source, when that was seen."`
	Score          int  `json:"score" doc:"Priority plus freshness, for display: {100,75,50,25} + max(0, 48-hours)."`
}
