package resources

// Anchor is a fact that must survive compaction: a decision, a context, a checkpoint or a
// point that needs attention.
type Anchor = Resource[AnchorSpec, AnchorStatus]

// AnchorSpec is the desired state of an anchor.
type AnchorSpec struct {
	Content   string        `json:"content" idumb:"required" doc:"What is to be remembered."`
	Type      string        `json:"type,omitempty" idumb:"enum=decision|context|checkpoint|attention" doc:"What sort of fact it is. Default context."`
	Priority  string        `json:"priority,omitempty" idumb:"enum=critical|high|medium|normal|low" doc:"How much it matters. Default normal."`
	Source    *AnchorSource `json:"source,omitempty" doc:"What the anchor is about; it turns stale when that changes."`
	RelatedTo []string      `json:"relatedTo,omitempty" idumb:"format=reference,set" doc:"Other objects, as kind/name or, for anchors, by name."`
	Pinned    bool          `json:"pinned,omitempty" doc:"Never stale by time alone."`
}

// AnchorSource is the file, line or task that an anchor describes.
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
	SuspectPhase = "suspect"    // mems only: a cited source changed
	Gone         = "gone"       // mems only: every cited source was deleted
	Superseded   = "superseded" // mems only: replaced by another mem
	Ended        = "ended"      // mems only: spec.validTo has passed
	Pending      = "pending"    // mems only: spec.validFrom is in the future
	Purged       = "purged"     // removed from the context permanently; the file is kept
)

// AnchorStatus is the observed state of an anchor.
type AnchorStatus struct {
	Common
	StalenessHours int  `json:"stalenessHours" doc:"Whole hours since it was made or validated, counted up to the configured limit."`
	StaleSince     Time `json:"staleSince,omitzero" doc:"When it turned stale by time; for a changed source, when that was seen."`
	Score          int  `json:"score" doc:"Priority plus freshness, for display: {100,75,50,25} + max(0, 48-hours)."`
}
