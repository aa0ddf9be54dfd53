package kube

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// eventsEvery is how often a watch looks at the logs of events: files that grow.
const eventsEvery = 500 * time.Millisecond

// eventForm makes an event what one of the two groups has.
type eventForm func(e *resources.Event, meta questions.Metadata, about object) object

// eventResource is the events of one of the two groups that have them.
func eventResource(form eventForm) resource {
	return resource{
		plural: "events", singular: "event", kind: "Event", short: []string{"ev"}, verbs: readVerbs(),
		collection: &collection{
			columns: []questions.ColumnOf[item]{ageColumn("LAST SEEN"), cell("TYPE", 0), cell("REASON", 1), cell("OBJECT", 2), cell("MESSAGE", 3)},
			list:    func(s *Server) ([]item, uint64, error) { return s.events(form) },
			every:   eventsEvery,
		},
	}
}

// events are all that are kept, the last seen last. What several lines count is one of them.
func (s *Server) events(form eventForm) ([]item, uint64, error) {
	found, err := records.Events(s.options.Root)
	version, items := s.beginning(), make([]item, len(found))
	second, within := int64(0), uint64(0)
	for i := range found {
		e := &found[i]
		if at := e.Time.Unix(); at != second {
			second, within = at, 0
		}
		within++ // events of one second are told apart by their order
		items[i] = s.event(e, uint64(second)*1000+within, form)
		version = max(version, items[i].version)
	}
	return items, version, err
}

func (s *Server) event(e *resources.Event, version uint64, form eventForm) item {
	first := e.First
	if first.IsZero() {
		first = e.Time
	}
	word, name, _ := strings.Cut(e.Object, "/")
	key, kindName := resources.Key{Kind: word, Name: name}, word
	if kind, known := resources.LookupKind(word); known {
		key.Kind, kindName = kind.Plural, kind.Name
	}
	sum := sha256.Sum256([]byte(e.Object + "\x00" + e.Reason + "\x00" + e.Message + "\x00" + first.Format(time.RFC3339)))
	meta := questions.Metadata{
		Name: resources.NameOfID(name) + "." + hex.EncodeToString(sum[:8]), Namespace: s.namespace,
		ResourceVersion: versionText(version), CreationTimestamp: first,
	}
	meta.UID = resources.DerivedUID(resources.Key{Kind: "events", Name: meta.Name})
	about := object{"kind": kindName, "apiVersion": resources.APIVersion, "name": name, "namespace": s.namespace, "uid": s.uidOf(key)}
	return item{meta: meta, version: version, whole: form(e, meta, about), seen: e.Time.Time, cells: []string{e.Type, e.Reason, e.Object, e.Message}}
}

// uidOf is by what clients know an object, also one that is gone.
func (s *Server) uidOf(key resources.Key) string {
	if o, found := s.options.Objects.Cache().Get(key); found {
		return cmp.Or(o.Head().Metadata.UID, resources.DerivedUID(key))
	}
	return resources.DerivedUID(key)
}

func times(e *resources.Event) (first, last resources.Time, count int) {
	first = e.First
	if first.IsZero() {
		first = e.Time
	}
	return first, e.Time, max(e.Count, 1)
}

// coreEvent is an event as the core group has it: kubectl reads those.
func coreEvent(e *resources.Event, meta questions.Metadata, about object) object {
	first, last, count := times(e)
	return object{
		"apiVersion": "v1", "kind": "Event", "metadata": plain(meta), "involvedObject": about, "type": e.Type, "reason": e.Reason, "message": e.Message,
		"source": object{"component": cmp.Or(e.From, component)}, "firstTimestamp": first, "lastTimestamp": last, "count": count, "eventTime": nil,
		"reportingComponent": cmp.Or(e.From, component), "reportingInstance": "",
	}
}

// newEvent is an event as events.k8s.io has it: k9s reads those.
func newEvent(e *resources.Event, meta questions.Metadata, about object) object {
	first, last, count := times(e)
	return object{
		"apiVersion": eventsGroup + "/v1", "kind": "Event", "metadata": plain(meta), "regarding": about, "type": e.Type, "reason": e.Reason, "note": e.Message,
		"reportingController": cmp.Or(e.From, component), "reportingInstance": component, "action": e.Reason, "eventTime": nil,
		"deprecatedSource": object{"component": cmp.Or(e.From, component)}, "deprecatedFirstTimestamp": first, "deprecatedLastTimestamp": last, "deprecatedCount": count,
	}
}

// component is who tells of what nobody else says to have told.
const component = "idumb-controller"

// plain is metadata as a selector of fields finds its way in.
func plain(meta questions.Metadata) object {
	return object{
		"name": meta.Name, "namespace": meta.Namespace, "uid": meta.UID, "resourceVersion": meta.ResourceVersion, "creationTimestamp": meta.CreationTimestamp,
	}
}

func versionText(version uint64) string { return strconv.FormatUint(version, 10) }
