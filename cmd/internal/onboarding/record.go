package onboarding

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// recordFile records the changes of onboarding for Undo. It is local to this machine.
const recordFile = layout.RunDir + "/onboard.json"

// record lists the changes in their order.
type record struct {
	Objects []madeObject `json:"objects,omitempty"`
	Blocks  []madeBlock  `json:"blocks,omitempty"`
}

// madeObject is a created object.
type madeObject struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // sum of its file when it was written
}

// madeBlock is a text that was written between the markers of a file.
type madeBlock struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// readUndoRecord returns what `idumb onboard` created, for --undo: objects and text
// between the markers of files. It is empty if the file does not exist.
func readUndoRecord(root layout.Root) (r record, err error) {
	data, _, err := root.Read(recordFile, layout.MaxLog)
	if errors.Is(err, store.ErrNotFound) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	for _, o := range r.Objects {
		if _, ok := resources.KindOf(o.Kind); err == nil && !ok {
			err = fmt.Errorf("%q is no kind", o.Kind)
		}
		if err == nil {
			err = resources.CheckName(o.Name)
		}
	}
	if err != nil {
		return r, fmt.Errorf("%s cannot be read: %w; remove it, and take out by hand what onboarding made", recordFile, err)
	}
	return r, nil
}

// write stores the record in its file, for idumb onboard --undo.
func (r record) write(root layout.Root) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return root.Replace(recordFile, append(data, '\n'))
}

// addObject records a created object.
func (r *record) addObject(root layout.Root, key resources.Key) error {
	sum, err := sumOf(root, key)
	if err == nil {
		r.Objects = append(slices.DeleteFunc(r.Objects, func(o madeObject) bool { return o.key() == key }), madeObject{key.Kind, key.Name, sum})
	}
	return err
}

func (r *record) addBlock(file, text string) {
	r.Blocks = append(slices.DeleteFunc(r.Blocks, func(b madeBlock) bool { return b.File == file }), madeBlock{file, text})
}

func (o madeObject) key() resources.Key { return resources.Key{Kind: o.Kind, Name: o.Name} }

// sumOf returns the SHA-256 sum of an object's file.
func sumOf(root layout.Root, key resources.Key) (string, error) {
	data, _, err := root.ReadSpec(key)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:]), nil
}
