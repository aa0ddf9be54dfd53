package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// version is the version of written items. Items of later versions are not
// read.
const version = 1

// maxHeader is the maximum length of the header line of an item.
const maxHeader = 4 << 10

// maxWord is the maximum length of a kept header field.
const maxWord = 200

// header is the first line of an item. It names the sender, unverified.
type header struct {
	Version int            `json:"v"`
	Sender  string         `json:"by,omitempty"`
	Time    resources.Time `json:"at,omitzero"` // by the sender's clock; informational
}

// pack encodes an object as an item: the header line and the bytes of its file.
func pack(by string, at time.Time, text []byte) []byte {
	line, _ := json.Marshal(header{version, by, resources.NewTime(at)}) // strings and a time always encode
	return append(append(line, '\n'), text...)
}

// unpack decodes an item. Its bytes are untrusted.
func unpack(value []byte) (by string, text []byte, err error) {
	line, text, found := bytes.Cut(value, []byte{'\n'})
	var h header
	switch {
	case !found || len(line) > maxHeader || json.Unmarshal(line, &h) != nil || h.Version < 1:
		return "", nil, errors.New("it has no header of idumb's")
	case h.Version > version:
		return "", nil, fmt.Errorf("it is of version %d, and this build reads %d; upgrade idumb", h.Version, version)
	case len(text) > resources.MaxFileSize:
		return "", nil, errors.New("it is larger than 1 MiB")
	}
	if len(h.Sender) > maxWord {
		h.Sender = strings.ToValidUTF8(h.Sender[:maxWord], "")
	}
	return h.Sender, text, nil
}

// remoteObject is an object as the engine stores it, with its key, revision and
// sender.
type remoteObject struct {
	key       string // engine key
	rev       string // engine revision
	sender    string
	sum       string // hash of the text
	text      []byte // nil after it was processed: see textOf
	rejection error  // reason why it is rejected
}

// remoteState is the last known content of the engine: objects, archived
// objects and names.
type remoteState struct {
	objects, archived map[resources.Key]remoteObject
	names             map[resources.Key]string // group that owns a name
	revs              map[string]string        // revisions of all items below Prefix, by engine key
	invalid           map[string]error         // invalid items, by engine key
	hasDuplicate      bool                     // an object has two items, which iDumb never writes
}

// remoteStateOf decodes the items of an engine. It records invalid items and otherwise
// ignores them.
func remoteStateOf(items []engine.Item) *remoteState {
	t := &remoteState{map[resources.Key]remoteObject{}, map[resources.Key]remoteObject{}, map[resources.Key]string{}, map[string]string{}, map[string]error{}, false}
	t.learn(items)
	return t
}

// count returns the number of followed remote objects.
func (k *passState) count() (n int) {
	if k.groups == nil || k.grouped { // the only other known objects are a few individual ones
		return len(k.team.objects)
	}
	for key, t := range k.team.objects {
		if k.follows(key, t) {
			n++
		}
	}
	return n
}

// checkLimit returns an error if the clone follows more remote objects than a
// limit.
func (k *passState) checkLimit(most int) error {
	if len(k.team.objects) <= most {
		return nil
	}
	if n := k.count(); n > most {
		return fmt.Errorf("the team has %d objects that this clone follows, and accepts at most %d; archive ended tasks and plans, follow fewer plans, or raise spec.sync.maxObjects of .idumb/config.json", n, most)
	}
	return nil
}

// reserveSlot reports whether another object may be created remotely and counts it.
// More objects than a clone accepts would stop the sync of all clones.
func (l *pass) reserveSlot() bool {
	if len(l.remote.objects)+l.remoteAdds >= l.x.MaxObjects && l.x.passState.count()+l.remoteAdds >= l.x.MaxObjects {
		return false
	}
	l.remoteAdds++
	return true
}

// full returns the error for an object that is not pushed because the team has
// too many objects.
func (l *pass) full() error {
	return fmt.Errorf("the team has %d objects that this clone follows, and shares at most %d; archive ended tasks and plans, follow fewer plans, or raise spec.sync.maxObjects of .idumb/config.json", l.x.passState.count()+l.remoteAdds, l.x.MaxObjects)
}

// learn updates the remote state with current items, removes items without a
// value, and returns the affected objects.
func (t *remoteState) learn(items []engine.Item) (about []resources.Key) {
	for _, removed := range []bool{true, false} { // removals first, so that a moved object is not lost
		for _, item := range items {
			place, key, err := placeOf(item.Key)
			if place == "" || removed != (item.Value == nil) {
				continue
			}
			delete(t.revs, item.Key)
			delete(t.invalid, item.Key)
			if err == nil {
				switch {
				case place == names:
					delete(t.names, key)
				case t.objects[key].key == item.Key:
					delete(t.objects, key)
				case t.archived[key].key == item.Key:
					delete(t.archived, key)
				}
				about = append(about, key)
			}
			if !removed {
				t.revs[item.Key] = item.Rev
				switch {
				case err != nil:
					t.invalid[item.Key] = err
				case place == names:
					t.names[key] = string(item.Value)
				case place == archived:
					t.add(t.archived, key, item)
				default:
					t.add(t.objects, key, item)
				}
			}
		}
	}
	return about
}

// add decodes an item and stores its object. If two items have the same object,
// the item in the group that owns the name wins, or else the first item.
func (t *remoteState) add(to map[resources.Key]remoteObject, key resources.Key, item engine.Item) {
	by, text, err := unpack(item.Value)
	if _, twice := to[key]; twice {
		if t.hasDuplicate = true; t.names[key] != groupIn(item.Key) {
			return // a name belongs to one object: the one in the recorded group, or the first one
		}
	}
	to[key] = remoteObject{item.Key, item.Rev, by, hashOf(string(text)), text, err}
}

// groupIn returns the group in an engine key.
func groupIn(key string) string {
	words := strings.Split(key, "/")
	return words[len(words)-2]
}

// placeOf splits an engine key. The place is "" for a key that is not about
// objects.
func placeOf(key string) (place string, object resources.Key, err error) {
	if !strings.HasPrefix(key, Prefix) {
		return "", object, nil
	}
	words := strings.Split(key, "/")
	if len(words) < 4 {
		return key, object, errors.New("its key is not the key of an object")
	}
	place, object = words[0]+"/"+words[1]+"/", resources.Key{Kind: words[2], Name: words[len(words)-1]}
	switch {
	case !shared(object.Kind):
		err = fmt.Errorf("objects of %.40q are not shared", object.Kind)
	case resources.CheckName(object.Name) != nil, place == names && len(words) != 4, place != names && (len(words) != 5 || place != objects && place != archived):
		err = errors.New("its name is not a valid object name")
	case place != names && words[3] != ungrouped && resources.CheckName(words[3]) != nil:
		err = errors.New("its group is not a valid plan name")
	case isLocal(object):
		err = errors.New("it is local to another machine")
	}
	return place, object, err
}
