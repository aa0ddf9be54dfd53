package serve

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// Forms of objects in a response.
const (
	FullForm = ""
	AsTable  = "Table"
	Partial  = "PartialObjectMetadata"
)

// ListOptions are the options of a request for objects, from its parameters and
// its Accept header.
type ListOptions struct {
	Form          string        // FullForm, AsTable or Partial
	Shape         queries.Shape // columns of a table
	Watch         bool
	Version       uint64        // version to watch from
	InitialEvents bool          // start a watch with all existing objects
	EndBookmark   bool          // send a bookmark after the initial objects
	Bookmarks     bool          // send a bookmark when nothing happens
	Progress      bool          // send a bookmark after each change
	Timeout       time.Duration // duration of a watch; 0 means unlimited
}

// ReadListOptions parses the options. It ignores unknown parameters, like
// Kubernetes.
func ReadListOptions(v url.Values, accept string) (o ListOptions, err error) {
	for _, form := range []string{AsTable, Partial} {
		if o.Form == FullForm && strings.Contains(accept, "as="+form) {
			o.Form = form
		}
	}
	include := v.Get("includeObject")
	o.Shape = queries.Shape{Wide: true, Objects: include == "Object", Metadata: include != "None"}
	flag := func(name string) (on bool) {
		if text := v.Get(name); text != "" && err == nil {
			if on, err = strconv.ParseBool(text); err != nil {
				err = fmt.Errorf("%s=%q is neither true nor false", name, text)
			}
		}
		return on
	}
	number := func(name string, bits int) (n uint64) {
		if text := v.Get(name); text != "" && err == nil {
			if n, err = strconv.ParseUint(text, 10, bits); err != nil {
				err = fmt.Errorf("%s=%q is no number that it can be", name, text)
			}
		}
		return n
	}
	o.Watch, o.EndBookmark, o.Bookmarks = flag("watch"), flag("sendInitialEvents"), flag("allowWatchBookmarks")
	o.Progress = flag("progress")
	o.Timeout = time.Duration(number("timeoutSeconds", 31)) * time.Second
	o.Version = number("resourceVersion", 64)
	o.InitialEvents = o.EndBookmark || o.Version == 0
	return o, err
}
