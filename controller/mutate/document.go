package mutate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// header decodes the fields that identify a document.
type header struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name            string          `json:"name"`
		GenerateName    string          `json:"generateName"`
		ResourceVersion json.RawMessage `json:"resourceVersion"`
	} `json:"metadata"`
	Status json.RawMessage   `json:"status"`
	Items  []json.RawMessage `json:"items"`
}

// expand yields a document, or each item of a List. It returns false if the
// iteration must stop.
func expand(d Manifest, yield func(Manifest, error) bool) bool {
	var p header
	if err := json.Unmarshal(d.JSON, &p); err != nil {
		return yield(d, fmt.Errorf("%s: %w", d.Source, structureError(err)))
	}
	if !strings.HasSuffix(p.Kind, "List") {
		return yield(identify(d, p))
	}
	rest := d.JSON
	for _, item := range p.Items {
		at := bytes.Index(rest, item)
		line := d.Line + bytes.Count(d.JSON[:len(d.JSON)-len(rest)+at], []byte("\n"))
		rest = rest[at+len(item):]
		if !expand(Manifest{Source: d.Source, Line: line, YAML: d.YAML, JSON: item}, yield) {
			return false
		}
	}
	return true
}

// structureError rewrites an error about the structure of a document without the names
// of Go types.
func structureError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("an object ({...}) is expected here, found: %s", kind.Value)
	}
	return fmt.Errorf("%s: Invalid value: found: %s", kind.Field, kind.Value)
}

// identify determines the key of an object and removes the fields that only
// printed objects have.
func identify(d Manifest, p header) (Manifest, error) {
	kind, name, err := identity(d.Source, p)
	if err != nil {
		return d, fmt.Errorf("%s: %w", d.Source, err)
	}
	d.Key = resources.Key{Kind: kind.Plural, Name: name}
	if name == "" {
		d.Prefix = p.Metadata.GenerateName
	}
	if p.Status == nil && p.Metadata.ResourceVersion == nil && p.Metadata.GenerateName == "" {
		return d, nil
	}
	d.Revision = revision(p)
	if d.JSON, err = withoutPrinted(d.JSON); err != nil {
		return d, fmt.Errorf("%s: %w", d.Source, err)
	}
	return d, nil
}

// identity returns the kind and the name. They may be omitted in a file whose
// path determines them, such as .idumb/tasks/foo.json.
func identity(source string, p header) (kind *resources.Kind, name string, err error) {
	folder, file := filepath.Base(filepath.Dir(source)), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))
	name = p.Metadata.Name
	inFolder, isFolder := resources.KindOf(folder)
	single, isFile := resources.KindOf(file)
	switch found := false; {
	case p.Kind != "":
		if kind, found = resources.LookupKind(p.Kind); !found {
			return nil, "", fmt.Errorf("no matches for kind %q; idumb api-resources lists the kinds", p.Kind)
		}
	case isFolder && !inFolder.Single:
		kind, name = inFolder, cmp.Or(name, file)
	case isFile && single.Single:
		kind = single
	default:
		return nil, "", errors.New("kind: Required value: say which kind of object this is, for example \"kind\": \"TaskNode\"")
	}
	if kind.Single {
		name = kind.Plural
	}
	return kind, name, nil
}

// revision returns the revision of a printed object.
func revision(p header) string {
	var version string
	if json.Unmarshal(p.Metadata.ResourceVersion, &version) == nil && version != "" {
		return version
	}
	var status resources.Common
	if json.Unmarshal(p.Status, &status) == nil {
		return status.ObservedRevision
	}
	return ""
}

// withoutPrinted removes status and metadata.resourceVersion. The bytes of
// other fields stay, so that their errors are still found. It refuses duplicate
// fields, because they would be lost.
func withoutPrinted(data []byte) ([]byte, error) {
	fields, err := members(data)
	if err != nil {
		return nil, err
	}
	delete(fields, "status")
	if meta, found := fields["metadata"]; found {
		inner, err := members(meta)
		if err != nil {
			return nil, err
		}
		delete(inner, "resourceVersion")
		delete(inner, "generateName")
		if fields["metadata"], err = json.Marshal(inner); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

// members returns the fields of a JSON object. It returns an error for
// duplicate fields.
func members(data []byte) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		if _, twice := fields[name.(string)]; twice {
			return nil, fmt.Errorf("%s: Duplicate value: the field occurs twice", name)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		fields[name.(string)] = value
	}
	return fields, nil
}

// Adopt writes the artifact that decide returns for a document (artifacts.Adopt
// or Supersede): a new one, with a generated name if it has none, or a changed
// one.
func (r Repo) Adopt(ctx context.Context, decide func(artifacts.View) (*resources.Artifact, error)) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		next, err := decide(tx.View())
		if err != nil {
			return err
		}
		if next.Metadata.Name != "" && next.Source().Revision != "" {
			result, err = tx.Put(next)
			return err
		}
		if next.Metadata.Name == "" {
			if next.Metadata.Name, err = tx.freeName(resources.Artifacts, artifacts.Name(next.Spec.Path, tx.View())); err != nil {
				return err
			}
		}
		if next.Spec.Type == "" {
			next.Spec.Type = tx.classOf(next.Spec.Path)
		}
		c, err := tx.planOver(next, "")
		if err == nil {
			result, err = tx.commit(c)
		}
		return err
	})
	return result, err
}

// classOf returns the type of a document from its front matter, name and path.
// It returns "" for a type that artifacts do not support.
func (tx *Tx) classOf(file string) string {
	text, _ := tx.repo.Store.SourceText(file)
	class := documents.Read(file, text, nil).Class
	if class == documents.Unclassified || !slices.Contains(resources.Choices(resources.Artifacts, "spec.type"), class) {
		return ""
	}
	return class
}

// Truncated is a truncated object file: it contains only the beginning of the last
// good version, as after a crash. Restoring the rest loses nothing.
type Truncated struct {
	Key      resources.Key
	Content  []byte // current content
	LastGood []byte // last good version
	rev      string
}

// TruncatedOf reports whether the file of a record is a truncated version of its
// last good version.
func TruncatedOf(record store.Record, good []byte) (t Truncated, torn bool) {
	t = Truncated{record.Key, record.Spec, good, record.Rev}
	_, _, err := resources.Read(record.Key, good)
	return t, err == nil && len(t.Content) < len(good) && bytes.HasPrefix(good, t.Content)
}

// Repair restores a truncated file. It returns a conflict if the file changed
// since it was checked.
func (r Repo) Repair(ctx context.Context, t Truncated) error {
	return r.Run(ctx, func(tx *Tx) error {
		record, err := tx.Record(t.Key)
		if err != nil {
			return err
		}
		if record.Rev != t.rev {
			return apierrors.Conflict(t.Key)
		}
		o, _, err := resources.Read(t.Key, t.LastGood)
		if err != nil {
			return fmt.Errorf("the last good version of %s: %w", t.Key, err)
		}
		_, err = tx.putAll([]resources.Object{o}, []string{record.Rev})
		return err
	})
}
