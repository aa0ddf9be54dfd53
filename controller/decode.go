package controller

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// decode reads an object, strictly, and checks it.
func decode(record store.Record) (resources.Object, error) {
	kind, ok := resources.KindOf(record.Key.Kind)
	if !ok {
		return nil, fmt.Errorf("no kind %q", record.Key.Kind)
	}
	o := kind.New()
	if err := json.Unmarshal(record.Spec, o); err != nil {
		return nil, err
	}
	o.Head().Metadata.Name = record.Key.Name
	o.Source().Revision, o.Source().ModTime = record.Rev, record.ModTime
	return o, nil
}

func encode(o resources.Object) ([]byte, error) { return json.MarshalIndent(o, "", "  ") }

func encodeStatus(status any) ([]byte, error) {
	data, err := json.MarshalIndent(status, "", "  ")
	return append(data, '\n'), err
}

func derivedUID(key resources.Key) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(resources.Group+"/"+key.String())).String()
}

func readSightings(log []byte) *resources.Sightings {
	return &resources.Sightings{Count: bytes.Count(log, []byte("\n"))}
}

func circlesOf(graph map[string][]string) map[string][]string { return nil }

func settingsOf(o resources.Object) *resources.ConfigSpec {
	settings := resources.DefaultConfig()
	return &settings
}
