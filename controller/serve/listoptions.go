package serve

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// In which form objects are wanted.
const (
	Whole   = ""
	AsTable = "Table"
	Partial = "PartialObjectMetadata"
)

// ListOptions are what the parameters and the header of a request for objects ask for.
type ListOptions struct {
	Form      string          // Whole, AsTable or Partial
	Shape     questions.Shape // of a table
	Watch     bool
	Version   uint64        // to watch from
	Initial   bool          // a watch begins with all that is there
	Mark      bool          // and marks the end of that
	Bookmarks bool          // a watch says how far it is where nothing happens
	Progress  bool          // a watch says how far it is after what happened
	Timeout   time.Duration // of a watch; 0: none
}

// ReadListOptions reads them. What it does not know is left to others, as in Kubernetes.
func ReadListOptions(v url.Values, accept string) (o ListOptions, err error) {
	for _, form := range []string{AsTable, Partial} {
		if o.Form == Whole && strings.Contains(accept, "as="+form) {
			o.Form = form
		}
	}
	include := v.Get("includeObject")
	o.Shape = questions.Shape{Wide: true, Objects: include == "Object", Metadata: include != "None"}
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
	o.Watch, o.Mark, o.Bookmarks = flag("watch"), flag("sendInitialEvents"), flag("allowWatchBookmarks")
	o.Progress = flag("progress")
	o.Timeout = time.Duration(number("timeoutSeconds", 31)) * time.Second
	o.Version = number("resourceVersion", 64)
	o.Initial = o.Mark || o.Version == 0
	return o, err
}
