package resources

// Anchor is a fact that must survive compaction: a decision, a context, a checkpoint or a
// point that needs attention.
type Anchor = Resource[AnchorSpec, AnchorStatus]

// AnchorSpec is the desired state of an anchor.
type AnchorSpec struct {
	Content   string        `json:"content" idumb:"flag=content,required" doc:"The text of the anchor."`
	Type      string        `json:"type,omitempty" idumb:"flag=type,enum=decision|context|checkpoint|attention" doc:"The type. Default context."`
	Priority  string        `json:"priority,omitempty" idumb:"flag=priority,enum=critical|high|medium|normal|low" doc:"The priority. Default normal."`
	Source    *AnchorSource `json:"source,omitempty" doc:"The subject of the anchor. The anchor becomes stale when the subject changes."`
	RelatedTo []string      `json:"relatedTo,omitempty" idumb:"flag=related-to,format=reference,set" doc:"Related resources: NAME of an anchor, or KIND/NAME."`
	Pinned    bool          `json:"pinned,omitempty" idumb:"flag=pinned" doc:"Do not become stale by age."`
}

// AnchorSource is the file, line or task that an anchor describes.
type AnchorSource struct {
	File   string `json:"file,omitempty" idumb:"flag=file,format=path" doc:"A file that the anchor is about; the anchor becomes stale when the file changes."`
	Line   int    `json:"line,omitempty" idumb:"flag=line,min=1" doc:"A line in that file."`
	Task   string `json:"task,omitempty" idumb:"flag=task,ref=tasks" doc:"A task that the anchor is about; the anchor becomes stale when the task ends."`
	SHA256 string `json:"sha256,omitempty" idumb:"flag=sha256" doc:"The current checksum of the file; only changed contents make the anchor stale. Without it a file that is newer than the anchor counts as changed."`
}

// Phases of anchors and mems.
const (
	Fresh        = "fresh"
	Fading       = "fading"     // mems only: confidence below the configured threshold
	StalePhase   = "stale"      // too old, or its source changed
	SuspectPhase = "suspect"    // mems only: a cited source changed
	GonePhase    = "gone"       // mems only: every cited source was deleted
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
	Score          int  `json:"score" doc:"Priority plus freshness less distance, for display: {100,75,50,25} + max(0, 48-hours) - 10 for each related anchor between it and an active task (30 without a relation)."`
}
