package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// scratchStore tracks the objects that are stored in the scratch namespace, so that none is left
// there.
type scratchStore struct {
	client dynamic.Interface
	// removeTimeout is how long removing one object may take.
	removeTimeout time.Duration
	ctx           context.Context // ends when the scratchStore is closed
	cancel        context.CancelFunc
	cases         sync.WaitGroup

	mu     sync.Mutex
	closed bool
	taken  map[string]*sync.Mutex // locks by name, so that two cases never store the same object at once
	left   []error                // errors about objects that could not be removed
}

func newScratchStore(client dynamic.Interface) *scratchStore {
	s := &scratchStore{client: client, removeTimeout: 20 * time.Second, taken: map[string]*sync.Mutex{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

var errEnded = errors.New("the run ended before this case was sent")

// enter begins a case. Its context ends when the scratchStore is closed.
func (s *scratchStore) enter(ctx context.Context) (_ context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errEnded
	}
	s.cases.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, cancel)
	return ctx, func() { stop(); cancel(); s.cases.Done() }, nil
}

// close ends the running cases and waits until they have removed their objects. Errors of removals
// are returned once.
func (s *scratchStore) close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.cases.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	left := errors.Join(s.left...)
	s.left = nil
	return left
}

// lock locks the name of an object, which all versions of its resource share.
func (s *scratchStore) lock(resource *resource, object *unstructured.Unstructured) *sync.Mutex {
	key := resource.GroupResource().String() + " " + object.GetNamespace() + "/" + object.GetName()
	s.mu.Lock()
	if s.taken[key] == nil {
		s.taken[key] = &sync.Mutex{}
	}
	name := s.taken[key]
	s.mu.Unlock()
	name.Lock()
	return name
}

// stored is an object that was stored for a case.
type stored struct {
	scratchStore *scratchStore
	at           dynamic.ResourceInterface
	object       *unstructured.Unstructured // as the API server returned it
	nameLock     *sync.Mutex                // of the name of the object
	*resource
}

// String names the object for messages.
func (s *stored) String() string {
	return fmt.Sprintf("%s %s/%s", s.resource.Resource, s.object.GetNamespace(), s.object.GetName())
}

func (s *stored) name() string { return s.object.GetName() }

// put stores an object. The caller must remove it.
func (s *scratchStore) put(ctx context.Context, resource *resource, object *unstructured.Unstructured) (*stored, error) {
	object = object.DeepCopy()
	unstructured.RemoveNestedField(object.Object, "metadata", "managedFields")
	// the garbage collector removes objects whose owner is missing
	unstructured.RemoveNestedField(object.Object, "metadata", "ownerReferences")
	one := &stored{
		scratchStore: s,
		at:           s.client.Resource(resource.GroupVersionResource).Namespace(object.GetNamespace()),
		object:       object,
		resource:     resource,
		nameLock:     s.lock(resource, object),
	}
	created, err := one.at.Create(ctx, object,
		metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationIgnore})
	if err != nil {
		return nil, errors.Join(one.notStored(err), one.abandon(ctx, err))
	}
	one.object = created
	if status, found := object.Object["status"]; found && resource.HasStatus {
		withStatus := created.DeepCopy()
		withStatus.Object["status"] = status
		updated, err := one.at.UpdateStatus(ctx, withStatus, metav1.UpdateOptions{
			FieldManager:    fieldManager,
			FieldValidation: metav1.FieldValidationIgnore,
		})
		if err != nil {
			return nil, errors.Join(one.notStored(err), one.remove(ctx))
		}
		one.object = updated
	}
	return one, nil
}

// notStored returns the fault of a case whose old object could not be stored. A refusal by the
// cluster is a fault too: the object cannot be updated.
func (s *stored) notStored(err error) error {
	errs, failed := verdict(err)
	switch {
	case alreadyExists(err):
		return fmt.Errorf("%s is there already, and this run did not store it, so the case was not sent", s)
	case failed != nil:
		return fmt.Errorf("storing the old object %s: %w", s, fault(err))
	}
	return fmt.Errorf("the cluster does not accept the old object %s, so it cannot be updated: %w", s, errs.ToAggregate())
}

// abandon releases the name of an object that was not stored. If the outcome is unknown, it looks
// for the object, and removes it if the field manager is ours.
func (s *stored) abandon(ctx context.Context, err error) error {
	if _, answered := statusOf(err); answered {
		s.nameLock.Unlock()
		return nil
	}
	ctx, cancel := s.scratchStore.cleanup(ctx)
	defer cancel()
	found, err := s.at.Get(ctx, s.name(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		s.nameLock.Unlock()
		return nil
	case err != nil:
		s.nameLock.Unlock()
		return s.leave(fmt.Errorf("%s may have been stored, and the cluster cannot be asked: %w", s, err))
	case !slices.ContainsFunc(found.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool { return m.Manager == fieldManager }):
		s.nameLock.Unlock()
		return nil
	}
	s.object = found
	return s.remove(ctx)
}

// refresh reads the stored object again, after a controller changed it.
func (s *stored) refresh(ctx context.Context) error {
	read, err := s.at.Get(ctx, s.name(), metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading %s again: %w", s, fault(err))
	}
	s.object = read
	return nil
}

// interval is the pause between attempts to remove an object.
const interval = 100 * time.Millisecond

// cleanup returns a context for removals, which also happen after the run ended.
func (s *scratchStore) cleanup(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), s.removeTimeout)
}

// remove removes the object and releases its name. It clears finalizers, of the case or of
// controllers, because nothing else may do so.
func (s *stored) remove(ctx context.Context) error {
	defer s.nameLock.Unlock()
	ctx, cancel := s.scratchStore.cleanup(ctx)
	defer cancel()
	uid, now := s.object.GetUID(), int64(0)
	options := metav1.DeleteOptions{GracePeriodSeconds: &now}
	if uid != "" {
		options.Preconditions = &metav1.Preconditions{UID: &uid}
	}
	var last error
	for {
		err := s.at.Delete(ctx, s.name(), options)
		found, reading := s.at.Get(ctx, s.name(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(reading), reading == nil && found.GetUID() != uid:
			return nil
		case reading == nil && len(found.GetFinalizers()) > 0:
			_, patching := s.at.Patch(ctx, s.name(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`),
				metav1.PatchOptions{FieldManager: fieldManager})
			err = cmp.Or(err, patching)
		}
		if last = cmp.Or(err, reading, last); ctx.Err() == nil {
			select {
			case <-time.After(interval):
				continue
			case <-ctx.Done():
			}
		}
		return s.leave(fmt.Errorf("%s was stored and could not be removed; remove it: kubectl delete -n %s %s %s: %w", s,
			s.object.GetNamespace(), s.resource.Resource, s.object.GetName(), cmp.Or(last, ctx.Err())))
	}
}

// leave records an object that may still exist, for the end of the run.
func (s *stored) leave(err error) error {
	s.scratchStore.mu.Lock()
	defer s.scratchStore.mu.Unlock()
	s.scratchStore.left = append(s.scratchStore.left, err)
	return err
}
