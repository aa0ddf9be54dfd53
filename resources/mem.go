package resources

import (
	"encoding/json"
	"slices"
	"strings"
)

// Mem is an insight or a false path (an approach that failed).
type Mem = Resource[MemSpec, MemStatus]

// MemSpec is the recorded part of a mem. It contains facts that cannot be computed again:
// statements, confirmations and removals from the context.
type MemSpec struct {
	Content         string            `json:"content" idumb:"flag=content,required" doc:"The text; for a false path: AVOID x BECAUSE y INSTEAD z."`
	Title           string            `json:"title,omitempty" idumb:"flag=title" doc:"A short title."`
	Type            string            `json:"type,omitempty" idumb:"flag=type,enum=insight|false_path|architecture|decision|pattern|tech-stack|research|codebase-fact|convention|gotcha" doc:"The type. Default insight."`
	Shelf           string            `json:"shelf,omitempty" idumb:"flag=shelf" doc:"The shelf: a group of mems. A mem replaces only mems of the same shelf."`
	TopicKey        string            `json:"topicKey,omitempty" idumb:"flag=topic" doc:"The topic, such as auth/session-lifetime; a new mem of a topic replaces the old mem. A mem that is applied from a file does not: both contradict each other until one replaces the other."`
	Tags            []string          `json:"tags,omitempty" idumb:"flag=tags,set" doc:"Keywords for the search."`
	AppliesWhen     *AppliesWhen      `json:"appliesWhen,omitempty" doc:"When it is relevant: files, symbols or words of a later task."`
	OriginTask      string            `json:"originTask,omitempty" idumb:"flag=task,ref=tasks" doc:"The source task."`
	Parent          string            `json:"parent,omitempty" idumb:"flag=parent,ref=mems" doc:"The mem that this one refines."`
	RelatedTo       []string          `json:"relatedTo,omitempty" idumb:"flag=related-to,format=reference,set" doc:"Related resources: NAME of a mem, or KIND/NAME."`
	Supersedes      string            `json:"supersedes,omitempty" idumb:"flag=supersedes,ref=mems" doc:"The mem that this one replaces."`
	SupersedeReason string            `json:"supersedeReason,omitempty" doc:"Why it replaces that one. Only a mem with a reason replaces a false path."`
	SupersedesSince Time              `json:"supersedesSince,omitzero" doc:"When it began to supersede the other mem. Default: when it was recorded."`
	Evidence        []MemEvidence     `json:"evidence,omitempty" idumb:"flag=evidence*,text=note" doc:"Evidence: FILE, FILE#HEADING, FILE#DECLARATION (Limit, Server.Limit), or a note. When a citation changes, the mem is suspect. Any other text is a note."`
	Confidence      *int              `json:"confidence,omitempty" idumb:"flag=confidence,min=0,max=100" doc:"The confidence of the author, 0 to 100. Default 80."`
	StaleAfter      string            `json:"staleAfter,omitempty" idumb:"flag=stale-after,format=duration" doc:"The mem becomes stale after this time without a confirmation, such as 720h. Default: only its confidence decides."`
	ValidFrom       Time              `json:"validFrom,omitzero" doc:"Since when it is so. Default: since it was recorded."`
	ValidTo         Time              `json:"validTo,omitzero" doc:"The end of its validity; later it is not in the context. Default: until another mem supersedes it."`
	RecordedAt      Time              `json:"recordedAt,omitzero" doc:"When it was first written down, for one that was taken over from elsewhere. Default: when the object was created."`
	PurgedAt        Time              `json:"purgedAt,omitzero" doc:"When it was removed from the context. The file stays."`
	PurgeReason     string            `json:"purgeReason,omitempty" doc:"Why it was taken out of the context."`
	Confirmations   []MemConfirmation `json:"confirmations,omitempty" idumb:"set" doc:"The confirmations by users and agents. Each slows the loss of confidence. Being packed or listed does not count."`
	Duplicates      int               `json:"duplicates,omitempty" idumb:"min=0" doc:"How often the same text was saved again."`
	Source          string            `json:"source,omitempty" idumb:"flag=source" doc:"The origin of the mem, such as task/login-form, anchor/token-format or commit/1a2b3c4."`
	Pinned          bool              `json:"pinned,omitempty" idumb:"flag=pinned" doc:"Do not decrease the confidence over time."`
	Critical        bool              `json:"critical,omitempty" idumb:"flag=critical" doc:"Keep the confidence, and add the mem to contexts before other mems."`
}

// AppliesWhen describes the tasks to which a mem applies. It is matched against the words
// of later tasks, in addition to the content of the mem.
type AppliesWhen struct {
	Paths   []string `json:"paths,omitempty" idumb:"flag=path*,format=glob,set" doc:"A pattern of related files."`
	Symbols []string `json:"symbols,omitempty" idumb:"flag=symbol*,set" doc:"A related function, type, setting or error."`
	Tags    []string `json:"tags,omitempty" idumb:"flag=task-tag*,set" doc:"A label or tag of related tasks."`
	Cues    []string `json:"cues,omitempty" idumb:"flag=cue*,set" doc:"A phrase in the words of a later task; three to eight."`
}

// MemEvidence is one item of evidence for a mem.
type MemEvidence struct {
	Path    string `json:"path,omitempty" idumb:"format=path" doc:"A file of the repository, from its root."`
	Section string `json:"section,omitempty" doc:"A part of the file: the text of a Markdown heading, the name of a declaration (Limit, Server.Limit) or, for a language without a scanner, the first line of the part. Default: the whole file."`
	SHA256  string `json:"sha256,omitempty" doc:"Checksum of the file, the section, or the declaration without comments. Without it only a deletion is noticed."`
	Note    string `json:"note,omitempty" doc:"A text: the content of the evidence, or evidence without a file."`
}

// MarshalJSON encodes evidence with only a note as a string. Older versions used this
// format, so an old file is not rewritten without need.
func (e MemEvidence) MarshalJSON() ([]byte, error) {
	if e.Note != "" && e == (MemEvidence{Note: e.Note}) {
		return marshal(e.Note, "")
	}
	type plain MemEvidence
	return marshal(plain(e), "")
}

// UnmarshalJSON decodes both formats.
func (e *MemEvidence) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*e = MemEvidence{}
		return json.Unmarshal(data, &e.Note)
	}
	type plain MemEvidence
	return json.Unmarshal(data, (*plain)(e))
}

// MemConfirmation records that a user or an agent used or checked a mem and that it was
// valid.
type MemConfirmation struct {
	At   Time   `json:"at" doc:"When."`
	By   string `json:"by,omitempty" doc:"Who or what: an agent, a user, task/name, or check."`
	Note string `json:"note,omitempty" doc:"The observation."`
}

// FalsePath is the type of a mem that warns against an approach.
const FalsePath = "false_path"

// FalsePathText returns the content of a false path in the format that agents receive.
func FalsePathText(avoid, because, instead string) string {
	return "AVOID " + strings.TrimSpace(avoid) + " BECAUSE " + strings.TrimSpace(because) + " INSTEAD " + strings.TrimSpace(instead)
}

// MemStatus is the observed state of a mem.
type MemStatus struct {
	Common
	Confidence    int      `json:"confidence" doc:"The remaining confidence, 0-100; halved while the mem is suspect."`
	Confirmations int      `json:"confirmations,omitempty" idumb:"set" doc:"How many count."`
	ConfirmedAt   Time     `json:"confirmedAt,omitzero" doc:"When it was last confirmed."`
	StaleAt       Time     `json:"staleAt,omitzero" doc:"When it becomes stale without a confirmation; empty without spec.staleAfter."`
	StaleSince    Time     `json:"staleSince,omitzero" doc:"The day on which it turned stale."`
	SupersededBy  string   `json:"supersededBy,omitempty" doc:"The mem that supersedes it."`
	Head          string   `json:"head,omitempty" doc:"The last mem of the chain of successors; empty for a current one."`
	RecordedAt    Time     `json:"recordedAt,omitzero" doc:"When it was first recorded here."`
	InvalidatedAt Time     `json:"invalidatedAt,omitzero" doc:"When it was known that it is no longer in effect: replaced, or purged."`
	ValidFrom     Time     `json:"validFrom,omitzero" doc:"Since when it is so."`
	ValidTo       Time     `json:"validTo,omitzero" doc:"Until when it was so."`
	Suspect       []string `json:"suspect,omitempty" doc:"The citations that changed or were deleted."`
	Moved         []string `json:"moved,omitempty" doc:"The citations that moved to another file unchanged. confirm adopts the new place."`
	AccessCount   int      `json:"accessCount,omitempty" doc:"How often a recall on this machine answered with it. The controller does not write it."`
	LastAccessed  Time     `json:"lastAccessedAt,omitzero" doc:"When that was last."`
}

// AnnotationSourceDigest is the digest of the source that a mem was generated from. No
// second mem is generated from the same source with the same digest.
const AnnotationSourceDigest = Group + "/source-digest"

// SourceDigest returns the digest of the source that a mem was generated from. It returns
// "" if the mem was not generated.
func SourceDigest(m *Mem) string { return m.Metadata.Annotations[AnnotationSourceDigest] }

// Cites returns the cited file and section in the usual notation: "docs/auth.md#Tokens". It
// returns "" for a note.
func (e MemEvidence) Cites() string { return CitationText(e.Path, e.Section) }

// Part describes the current state of a file section that evidence cites by name.
type Part struct {
	Exists      bool
	SHA256      string   // checksum of its text or, for a declaration, of its tokens; empty if it cannot be computed
	Formers     []string // checksums computed by older releases; recorded evidence may contain them
	Declaration bool     // it is, or is expected to be, a declaration in a language with a scanner
	Mentioned   bool     // the file contains the text, but not as a declaration
	Names       []string // for declarations: all qualified names that the name refers to
}

// Is reports whether a recorded checksum matches the part.
func (p Part) Is(sum string) bool {
	same := func(of string) bool { return strings.EqualFold(sum, of) }
	return sum != "" && (same(p.SHA256) || slices.ContainsFunc(p.Formers, same))
}
