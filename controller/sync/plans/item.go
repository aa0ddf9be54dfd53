package plans

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

// version is that of what is written; what a later one wrote is not read.
const version = 1

// maxHeader is how long the line before an object's bytes may be.
const maxHeader = 4 << 10

// maxWord is how much of a stranger's word is kept.
const maxWord = 200

// header is the line before an object's bytes: who sent them, as they say themselves.
type header struct {
	Version int            `json:"v"`
	By      string         `json:"by,omitempty"`
	At      resources.Time `json:"at,omitzero"` // by the sender's clock: for people, nothing depends on it
}

// pack is an object as it stands with the team: a line that says who sent it, and its file's bytes.
func pack(by string, at time.Time, text []byte) []byte {
	line, _ := json.Marshal(header{version, by, resources.NewTime(at)}) // words and a time always can be
	return append(append(line, '\n'), text...)
}

// unpack takes an item apart. The bytes are a stranger's.
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
	if len(h.By) > maxWord {
		h.By = strings.ToValidUTF8(h.By[:maxWord], "")
	}
	return h.By, text, nil
}

// teamItem is one object as the team has it.
type teamItem struct {
	key       string // the engine's
	rev       string // the engine's
	by        string
	sum       string // the hash of its text
	text      []byte // nil after it was looked at: see textOf
	unpleased error  // why it is not taken
}

// team is what stands with the team.
type team struct {
	objects, archived map[resources.Key]teamItem
	names             map[resources.Key]string // the group that holds a name
	revs              map[string]string        // of all items below Prefix, by the engine's keys
	strange           map[string]error         // items that are no objects, by the engine's key
	twice             bool                     // an object stands at two places: who wrote that is no iDumb
}

// teamOf reads an engine's items. What is no object of ours is left alone, and told.
func teamOf(items []engine.Item) *team {
	t := &team{map[resources.Key]teamItem{}, map[resources.Key]teamItem{}, map[resources.Key]string{}, map[string]string{}, map[string]error{}, false}
	t.learn(items)
	return t
}

// count is how many objects of the team are followed.
func (k *known) count() (n int) {
	if k.groups == nil || k.grouped { // what else is known of it is a few names
		return len(k.team.objects)
	}
	for key, t := range k.team.objects {
		if k.follows(key, t) {
			n++
		}
	}
	return n
}

func (k *known) fits(most int) error {
	if len(k.team.objects) <= most {
		return nil
	}
	if n := k.count(); n > most {
		return fmt.Errorf("the team has %d objects that are followed, and %d at most are taken; archive what is over, follow fewer plans, or raise spec.sync.maxObjects of .idumb/config.json", n, most)
	}
	return nil
}

// room reports whether one more object goes to the team, and counts it: more than a clone takes would have all of
// them stop.
func (l *look) room() bool {
	if len(l.team.objects)+l.added >= l.x.Most && l.x.known.count()+l.added >= l.x.Most {
		return false
	}
	l.added++
	return true
}

func (l *look) full() error {
	return fmt.Errorf("the team has %d objects that are followed, and %d at most are shared; archive what is over, follow fewer plans, or raise spec.sync.maxObjects of .idumb/config.json", l.x.known.count()+l.added, l.x.Most)
}

// learn takes in items as they stand now, one without a value not any more, and returns the objects that
// they are about.
func (t *team) learn(items []engine.Item) (about []resources.Key) {
	for _, removed := range []bool{true, false} { // an object that moved is one, as it was before
		for _, item := range items {
			place, key, err := placeOf(item.Key)
			if place == "" || removed != (item.Value == nil) {
				continue
			}
			delete(t.revs, item.Key)
			delete(t.strange, item.Key)
			if err == nil {
				t.forget(item.Key, place, key)
				about = append(about, key)
			}
			if !removed {
				t.put(item, place, key, err)
			}
		}
	}
	return about
}

func (t *team) forget(item, place string, key resources.Key) {
	switch {
	case place == names:
		delete(t.names, key)
	case t.objects[key].key == item:
		delete(t.objects, key)
	case t.archived[key].key == item:
		delete(t.archived, key)
	}
}

func (t *team) put(item engine.Item, place string, key resources.Key, err error) {
	t.revs[item.Key] = item.Rev
	switch {
	case err != nil:
		t.strange[item.Key] = err
	case place == names:
		t.names[key] = string(item.Value)
	case place == archived:
		t.add(t.archived, key, item)
	default:
		t.add(t.objects, key, item)
	}
}

func (t *team) add(to map[resources.Key]teamItem, key resources.Key, item engine.Item) {
	by, text, err := unpack(item.Value)
	if _, twice := to[key]; twice {
		if t.twice = true; t.names[key] != groupIn(item.Key) {
			return // a name is one object's: that of the group which its name says, or the first
		}
	}
	to[key] = teamItem{item.Key, item.Rev, by, sumOf(string(text)), text, err}
}

// groupIn is the group in an engine's key.
func groupIn(key string) string {
	words := strings.Split(key, "/")
	return words[len(words)-2]
}

// placeOf takes an engine's key apart; "" for what is not about objects.
func placeOf(key string) (place string, object resources.Key, err error) {
	if !strings.HasPrefix(key, Prefix) {
		return "", object, nil
	}
	words := strings.Split(key, "/")
	if len(words) < 4 {
		return key, object, errors.New("it stands where no object does")
	}
	place, object = words[0]+"/"+words[1]+"/", resources.Key{Kind: words[2], Name: words[len(words)-1]}
	switch {
	case !shared(object.Kind):
		err = fmt.Errorf("objects of %.40q are not shared", object.Kind)
	case resources.CheckName(object.Name) != nil, place == names && len(words) != 4, place != names && (len(words) != 5 || place != objects && place != archived):
		err = errors.New("its name is none of an object's")
	case place != names && words[3] != ungrouped && resources.CheckName(words[3]) != nil:
		err = errors.New("its group is none of a plan's")
	case isLocal(object):
		err = errors.New("it is local to another machine")
	}
	return place, object, err
}
