// SPDX-License-Identifier: Apache-2.0
//
// Mutexes whose use clang's thread-safety analysis can check: it knows which lock guards which
// member, and which lock each function needs. libstdc++'s mutexes have no annotations.
#pragma once

#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define COALCHECK_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define COALCHECK_THREAD_ANNOTATION(attribute)
#endif
// Of a member: read and written with the lock held only.
#define COALCHECK_GUARDED_BY(mutex) COALCHECK_THREAD_ANNOTATION(guarded_by(mutex))
// Of a function: the caller holds the lock; or must not.
#define COALCHECK_REQUIRES(...) COALCHECK_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define COALCHECK_ACQUIRE(...) COALCHECK_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define COALCHECK_ACQUIRE_SHARED(...) \
  COALCHECK_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define COALCHECK_RELEASE(...) COALCHECK_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define COALCHECK_RELEASE_SHARED(...) \
  COALCHECK_THREAD_ANNOTATION(release_shared_capability(__VA_ARGS__))
#define COALCHECK_TRY_ACQUIRE(...) COALCHECK_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))

namespace coalcheck {

class COALCHECK_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() COALCHECK_ACQUIRE() { mutex_.lock(); }
  bool TryLock() COALCHECK_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void Unlock() COALCHECK_RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Any number of readers together, or one writer.
class COALCHECK_THREAD_ANNOTATION(capability("mutex")) SharedMutex {
 public:
  void Lock() COALCHECK_ACQUIRE() { mutex_.lock(); }
  void Unlock() COALCHECK_RELEASE() { mutex_.unlock(); }
  void LockShared() COALCHECK_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void UnlockShared() COALCHECK_RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

// Holds the lock as long as it lives.
class COALCHECK_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) COALCHECK_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  // Of a mutex that the caller has locked already.
  MutexLock(Mutex& mutex, std::adopt_lock_t /*locked*/) COALCHECK_REQUIRES(mutex) : mutex_(mutex) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() COALCHECK_RELEASE() { mutex_.Unlock(); }

 private:
  Mutex& mutex_;
};

class COALCHECK_THREAD_ANNOTATION(scoped_lockable) WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) COALCHECK_ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  ~WriterLock() COALCHECK_RELEASE() { mutex_.Unlock(); }

 private:
  SharedMutex& mutex_;
};

class COALCHECK_THREAD_ANNOTATION(scoped_lockable) ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) COALCHECK_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.LockShared();
  }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;
  ~ReaderLock() COALCHECK_RELEASE() { mutex_.UnlockShared(); }

 private:
  SharedMutex& mutex_;
};

}  // namespace coalcheck
