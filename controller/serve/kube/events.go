package kube

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// eventInterval is the interval at which a watch reads the event logs.
const eventInterval = 500 * time.Millisecond

// eventForm converts an event to the form of one of the two groups.
type eventForm func(e *resources.Event, meta queries.Metadata, about object) object

// eventResource returns the events resource of one of the two groups.
func eventResource(form eventForm) resource {
	return resource{
		plural: "events", singular: "event", kind: "Event", short: []string{"ev"}, verbs: readVerbs(),
		collection: &collection{
			columns:  []queries.ColumnOf[item]{ageColumn("LAST SEEN"), cell("TYPE", 0), cell("REASON", 1), cell("OBJECT", 2), cell("MESSAGE", 3)},
			list:     func(s *Server) ([]item, uint64, error) { return s.events(form) },
			interval: eventInterval,
		},
	}
}

// events returns all kept events, ordered by last occurrence. An aggregated
// event is one item.
func (s *Server) events(form eventForm) ([]item, uint64, error) {
	found, err := records.Events(s.options.Root)
	version, items := s.startVersion(), make([]item, len(found))
	second, within := int64(0), uint64(0)
	for i := range found {
		e := &found[i]
		if at := e.Time.Unix(); at != second {
			second, within = at, 0
		}
		within++ // the order distinguishes events of the same second
		items[i] = s.event(e, uint64(second)*1000+within, form)
		version = max(version, items[i].version)
	}
	return items, version, err
}

// event converts an event to an item. form encodes it for one of the two API groups of events.
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
	meta := queries.Metadata{
		Name: resources.NameOfID(name) + "." + hex.EncodeToString(sum[:8]), Namespace: s.namespace,
		ResourceVersion: versionText(version), CreationTimestamp: first,
	}
	meta.UID = resources.DerivedUID(resources.Key{Kind: "events", Name: meta.Name})
	about := object{"kind": kindName, "apiVersion": resources.APIVersion, "name": name, "namespace": s.namespace, "uid": s.uidOf(key)}
	return item{meta: meta, version: version, full: form(e, meta, about), ageBase: e.Time.Time, cells: []string{e.Type, e.Reason, e.Object, e.Message}}
}

// uidOf returns the UID by which clients know an object, even if it is deleted.
func (s *Server) uidOf(key resources.Key) string {
	if o, found := s.options.Objects.Cache().Get(key); found {
		return cmp.Or(o.Head().Metadata.UID, resources.DerivedUID(key))
	}
	return resources.DerivedUID(key)
}

// eventTimes returns the first and the last occurrence of an event, and the number of occurrences.
func eventTimes(e *resources.Event) (first, last resources.Time, count int) {
	first = e.First
	if first.IsZero() {
		first = e.Time
	}
	return first, e.Time, max(e.Count, 1)
}

// coreEvent returns an event in the form of the core group, which kubectl
// reads.
func coreEvent(e *resources.Event, meta queries.Metadata, about object) object {
	first, last, count := eventTimes(e)
	return object{
		"apiVersion": "v1", "kind": "Event", "metadata": plainMeta(meta), "involvedObject": about, "type": e.Type, "reason": e.Reason, "message": e.Message,
		"source": object{"component": cmp.Or(e.From, component)}, "firstTimestamp": first, "lastTimestamp": last, "count": count, "eventTime": nil,
		"reportingComponent": cmp.Or(e.From, component), "reportingInstance": "",
	}
}

// newEvent returns an event in the form of events.k8s.io, which k9s reads.
func newEvent(e *resources.Event, meta queries.Metadata, about object) object {
	first, last, count := eventTimes(e)
	return object{
		"apiVersion": eventsGroup + "/v1", "kind": "Event", "metadata": plainMeta(meta), "regarding": about, "type": e.Type, "reason": e.Reason, "note": e.Message,
		"reportingController": cmp.Or(e.From, component), "reportingInstance": component, "action": e.Reason, "eventTime": nil,
		"deprecatedSource": object{"component": cmp.Or(e.From, component)}, "deprecatedFirstTimestamp": first, "deprecatedLastTimestamp": last, "deprecatedCount": count,
	}
}

// component is the default reporting component of events.
const component = "idumb-controller"

// plainMeta converts metadata to decoded JSON, for field selectors.
func plainMeta(meta queries.Metadata) object {
	return object{
		"name": meta.Name, "namespace": meta.Namespace, "uid": meta.UID, "resourceVersion": meta.ResourceVersion, "creationTimestamp": meta.CreationTimestamp,
	}
}

// versionText returns a resource version as text.
func versionText(version uint64) string { return strconv.FormatUint(version, 10) }
