package status

import (
	"fmt"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// artifactGrace is the time before a missing file counts as lost. The file may be absent
// because another branch is checked out, or because it is being moved.
const artifactGrace = 24 * time.Hour

// DeriveArtifact computes the status of an artifact and the time of its next change. The
// phase is the first one in this list that applies:
//
//	purged      removed from the context
//	abandoned
//	superseded  replaced by another artifact, or spec.state is superseded
//	missing     the file has been absent for more than a day
//	completed
//	stale       a source in spec.derivedFrom changed after the confirmation (StaleLinks)
//	suspect     the file, or a file that it links to, does not exist
//	draft
//	current
//
// The time is set while the file is absent for less than artifactGrace: it is
// then the end of that period. Otherwise it is zero.
func DeriveArtifact(a *resources.Artifact, v WideView) (resources.ArtifactStatus, time.Time) {
	d, next := assessArtifact(a, v)
	for _, other := range d.v.ArtifactsNaming(d.a.Key()) {
		for _, key := range resources.CoveredKeys(other) {
			if key == d.a.Key() {
				d.status.CoveredBy = append(d.status.CoveredBy, other.Metadata.Name)
			}
		}
	}
	var first time.Time
	for _, task := range coveredTasks(d.a, d.v) {
		if seen := d.v.Evidence(task); seen != nil {
			first = resources.Earliest(first, seen.Oldest)
		}
	}
	if !first.IsZero() {
		d.status.ImplementedAt = resources.NewTime(first)
	}
	d.conditions()
	return d.status, next
}

// AssessArtifact is a cheaper DeriveArtifact for frequent callers. It omits the conditions,
// coveredBy and implementedAt.
func AssessArtifact(a *resources.Artifact, v WideView) (resources.ArtifactStatus, time.Time) {
	d, next := assessArtifact(a, v)
	return d.status, next
}

// assessArtifact computes the status of an artifact without its conditions, and the time of its
// next change.
func assessArtifact(a *resources.Artifact, v WideView) (d artifactDeriver, next time.Time) {
	d = artifactDeriver{a: a, v: v}
	d.document, d.status.MovedTo = documentOf(a, v)
	d.status.Title, d.status.SHA256 = d.document.Title, d.document.SHA256
	d.status.SupersededBy, d.status.Head = Replaced(a, v)
	next = d.deriveMissing()
	d.stale = StaleLinks(a, v)
	d.sections()
	d.status.Phase = d.phase()
	return d, next
}

// artifactDeriver computes the status of one artifact; see DeriveArtifact.
type artifactDeriver struct {
	a        *resources.Artifact
	v        WideView
	document resources.Document
	stale    []StaleLink
	status   resources.ArtifactStatus
}

// documentOf reads the file of an artifact. If git renamed the file, it reads the new path
// and returns it as movedTo. movedTo is "" if the file was not moved.
func documentOf(a *resources.Artifact, v Documents) (d resources.Document, movedTo string) {
	if d = v.SourceDocument(a.Spec.Path); d.Exists {
		return d, ""
	}
	if to := v.SourceMoved(a.Spec.Path, "", ""); to != "" && to != a.Spec.Path {
		if there := v.SourceDocument(to); there.Exists {
			return there, to
		}
	}
	return d, ""
}

// lostFor reports whether the file of an artifact has been missing for longer than
// artifactGrace.
func lostFor(a *resources.Artifact, v Documents) bool {
	d, _ := documentOf(a, v)
	return !d.Exists && !d.GoneSince.IsZero() && !v.Now().Before(d.GoneSince.Add(artifactGrace))
}

// deriveMissing sets the missing links and the time since when the file is
// missing. It returns the end of the grace period, or zero if the file exists
// or the period has passed.
func (d *artifactDeriver) deriveMissing() (next time.Time) {
	for _, link := range d.document.Links {
		if _, _, exists := d.v.SourceFile(link); !exists {
			d.status.Gone = append(d.status.Gone, link)
		}
	}
	if d.document.Exists {
		return time.Time{}
	}
	since := d.document.GoneSince
	if since.IsZero() {
		since = d.v.Now()
	}
	d.status.GoneSince = resources.NewTime(since)
	if due := d.status.GoneSince.Add(artifactGrace); due.After(d.v.Now()) {
		return due
	}
	return time.Time{}
}

// sections sets the sections, with the cause of each stale section, and the
// texts of the stale links.
func (d *artifactDeriver) sections() {
	for _, section := range d.document.Sections {
		s := resources.ArtifactSection{DocumentSection: section}
		for _, link := range d.stale {
			if s.Stale = resources.Holds(link.Section, s.Path); s.Stale {
				s.Because = link.Because
				break
			}
		}
		d.status.Sections = append(d.status.Sections, s)
	}
	for _, link := range d.stale {
		of := link.Section
		if of == "" {
			of = "all of it"
		}
		d.status.Stale = append(d.status.Stale, of+": "+link.Because)
	}
}

// coveredTasks returns the tasks that an artifact covers, directly or through their plan.
func coveredTasks(a *resources.Artifact, v WideView) []string {
	var tasks []string
	for _, key := range resources.CoveredKeys(a) {
		switch key.Kind {
		case resources.Tasks:
			tasks = append(tasks, key.Name)
		case resources.WorkPlans:
			tasks = append(tasks, v.PlanTasks(key.Name)...)
		}
	}
	return tasks
}

// phase returns the phase of the artifact; see DeriveArtifact for the order.
func (d *artifactDeriver) phase() string {
	s := &d.status
	lost := !s.GoneSince.IsZero() && !d.v.Now().Before(s.GoneSince.Add(artifactGrace))
	switch state := resources.ArtifactState(d.a); {
	case !d.a.Spec.PurgedAt.IsZero():
		return resources.Purged
	case state == resources.ArtifactAbandoned:
		return resources.ArtifactAbandoned
	case s.SupersededBy != "" || state == resources.ArtifactSuperseded:
		return resources.Superseded
	case lost:
		return resources.ArtifactMissing
	case state == resources.ArtifactCompleted:
		return resources.ArtifactCompleted
	case len(d.stale) > 0:
		return resources.StalePhase
	case len(s.Gone) > 0 || !s.GoneSince.IsZero():
		return resources.SuspectPhase
	case state == resources.ArtifactDraft:
		return resources.ArtifactDraft
	}
	return resources.ArtifactCurrent
}

// conditions adds the conditions, with the next step. For ended artifacts it only checks
// references and the state in the document.
func (d *artifactDeriver) conditions() {
	d.orphaned()
	d.disagrees()
	switch d.status.Phase {
	case resources.Purged, resources.ArtifactAbandoned, resources.Superseded, resources.ArtifactCompleted:
		return
	}
	name := d.a.Metadata.Name
	broken := d.abandonedBefore()
	switch {
	case len(d.stale) > 0 && broken != "":
		d.add(resources.Stale, "UpstreamAbandoned", Listed(d.status.Stale, ", "))
	case len(d.stale) > 0:
		d.add(resources.Stale, "UpstreamChanged", fmt.Sprintf("%s; read it against that, change what no longer follows, then idumb confirm artifact %s", Listed(d.status.Stale, ", "), name))
	}
	if broken != "" {
		d.add(resources.ChainBroken, "UpstreamAbandoned", fmt.Sprintf("artifact/%s was abandoned, and this one derives from it; derive it from another one (idumb edit artifact %s), or idumb artifact abandon %s --reason WHY", broken, name, name))
	}
	switch {
	case !d.status.GoneSince.IsZero():
		d.add(resources.Suspect, "FileGone", fmt.Sprintf("%s is not there since %s; bring it back, or idumb artifact abandon %s --reason WHY", d.a.Spec.Path, d.status.GoneSince.UTC().Format(time.RFC3339), name))
	case len(d.status.Gone) > 0:
		d.add(resources.Suspect, "LinkGone", fmt.Sprintf("it links to %s, which is not there; mend the document", Listed(d.status.Gone, ", ")))
	}
	d.conflict()
}

// disagrees adds a condition if the document's state has ended and the artifact's has not,
// or vice versa.
func (d *artifactDeriver) disagrees() {
	ended := func(state string) bool {
		return state == resources.ArtifactSuperseded || state == resources.ArtifactAbandoned
	}
	says, is := d.document.State, resources.ArtifactState(d.a)
	if d.status.Phase == resources.Superseded {
		is = resources.ArtifactSuperseded
	}
	if says == "" || d.status.Phase == resources.Purged || ended(says) == ended(is) {
		return
	}
	d.add(resources.Disagrees, "DocumentSaysOtherwise", fmt.Sprintf("%s states that it is %s, and the artifact is %s; make both agree", d.a.Spec.Path, says, is))
}

// add adds a condition with the status True.
func (d *artifactDeriver) add(conditionType, reason, message string) {
	d.status.Conditions = append(d.status.Conditions, resources.Condition{Type: conditionType, Status: resources.True, Reason: reason, Message: message})
}

// abandonedBefore returns the first abandoned artifact in spec.derivedFrom. It returns ""
// if no source was abandoned.
func (d *artifactDeriver) abandonedBefore() string {
	for _, before := range derivedFrom(d.a) {
		if a, ok := d.v.Artifact(before); ok && a.Spec.State == resources.ArtifactAbandoned {
			return before
		}
	}
	return ""
}

// conflict adds the condition Conflict if the artifact is in a cycle (of
// supersedes, parent or derivedFrom), or if another artifact replaces the same
// one or describes the same file.
func (d *artifactDeriver) conflict() {
	for _, circle := range CheckCycle(d.a, artifactsByKey{d.v}) {
		d.add(resources.Conflict, "Circle", circle.Error()+"; take it out of one of them: idumb edit artifact "+d.a.Metadata.Name)
		return
	}
	if rival := rivalHead(d.a, d.v); rival != "" {
		d.add(resources.Conflict, "SecondHead", fmt.Sprintf("artifact/%s supersedes artifact/%s as well; let one of the two supersede the other", rival, d.a.Spec.Supersedes))
		return
	}
	if other := secondAt(d.a, d.v); other != "" {
		d.add(resources.Conflict, "SamePath", fmt.Sprintf("artifact/%s speaks of %s as well; abandon one of the two", other, d.a.Spec.Path))
	}
}

// artifactsByKey adapts the artifacts of a view to Order.
type artifactsByKey struct{ Artifacts }

// PlanTasks returns nil, because artifacts do not wait for tasks.
func (l artifactsByKey) PlanTasks(string) []string { return nil }

// Get returns an artifact by its key.
func (l artifactsByKey) Get(key resources.Key) (resources.Object, bool) { return l.Artifact(key.Name) }

// orphaned adds the condition Orphaned if the artifact refers to missing objects.
func (d *artifactDeriver) orphaned() {
	o := Orphan{View: d.v, Object: d.a.Key()}
	o.Check("spec.supersedes", resources.Artifacts, d.a.Spec.Supersedes)
	o.Check("spec.parent", resources.Artifacts, d.a.Spec.Parent)
	for i, key := range resources.CoveredKeys(d.a) {
		o.Check("spec.covers["+strconv.Itoa(i)+"]", key.Kind, key.Name)
	}
	for i, link := range d.a.Spec.DerivedFrom {
		o.Check("spec.derivedFrom["+strconv.Itoa(i)+"].artifact", resources.Artifacts, link.Artifact)
	}
	if c, orphaned := o.Condition(); orphaned {
		d.status.Conditions = append(d.status.Conditions, c)
	}
}
